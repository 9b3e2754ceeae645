import type { Words } from './words.ts';

/** For shoppers who pay by Pix or Boleto, and all others who read Portuguese. */
export const PORTUGUESE: Words = {
  language: 'pt',
  payTitle: (amount) => `Pagar ${amount}`,
  to: (merchant) => `a ${merchant}`,
  order: 'Número do pedido',
  items: 'O que você compra',
  form: {
    title: 'Pagar com cartão',
    card: 'Número do cartão',
    cardHint: 'Os 12 a 19 dígitos do cartão; os espaços não importam.',
    expiry: 'Válido até',
    month: 'Mês',
    year: 'Ano',
    yearShape: 'AA',
    code: 'Código de segurança',
    codeHint: '3 ou 4 dígitos no cartão.',
    stored: (last4) => `Pagar com o cartão de final ${last4}`,
    other: 'Usar outro cartão',
    pay: (amount) => `Pagar ${amount}`,
    leave: 'Cancelar e voltar à loja',
    promise: 'A loja nunca vê o número do seu cartão. Ninguém guarda o código de segurança.',
  },
  faults: {
    title: 'Há algo a corrigir',
    noCard: 'Digite o número do cartão',
    badCard: 'Confira o número do cartão: falta um dígito ou há um errado',
    badMonth: 'Digite o mês de 01 a 12',
    badYear: 'Digite o ano como está no cartão, por exemplo 29',
    pastExpiry: 'O cartão está vencido: confira o mês e o ano, ou use outro cartão',
    badCode: (digits) => `Digite os ${digits ?? '3 ou 4'} dígitos do código de segurança`,
    typeAgain: 'O número do cartão e o código de segurança não voltam a esta página; digite-os de novo.',
  },
  methods: {
    known: {
      pix: {
        name: 'Pix',
        happens: 'Você leria um código QR com o aplicativo do seu banco e confirmaria o valor ali.',
      },
      boleto: {
        name: 'Boleto bancário',
        happens: 'Você receberia um boleto e o pagaria em um banco ou no aplicativo em alguns dias.',
      },
      oxxo: { name: 'OXXO', happens: 'Você receberia um vale e o pagaria em dinheiro em uma loja OXXO.' },
      spei: {
        name: 'SPEI',
        happens: 'Você receberia uma CLABE e transferiria o valor para ela do seu banco.',
      },
      pse: {
        name: 'PSE',
        happens: 'Você passaria às páginas do seu banco e confirmaria um débito da sua conta.',
      },
      bank_transfer: {
        name: 'Transferência bancária',
        happens: 'Você receberia os dados bancários da loja e transferiria o valor para eles.',
      },
      wallet: {
        name: 'Carteira digital',
        happens: 'Você entraria na sua carteira e confirmaria o valor ali.',
      },
    },
    other: (method) => ({ name: method, happens: 'Você confirmaria o valor com este método.' }),
    title: (method) => `Pagar com ${method}`,
    happens: 'O que aconteceria',
    decide: 'Esta página faz as vezes do método de pagamento: você decide como termina.',
    approve: (amount) => `Aprovar ${amount}`,
    decline: 'Recusar',
  },
  challenge: {
    title: 'Confirme que é você',
    text: 'Seu banco quer ter certeza de que é você quem paga. Responda na janela abaixo.',
    frame: 'Seu banco: confirme o pagamento',
    issuer: 'Emissor de cartões simulado',
    question: (amount, merchant) => `Você quer pagar ${amount} a ${merchant}?`,
    pass: 'Sim, confirmar',
    fail: 'Não, recusar',
  },
  waiting: {
    title: 'Seu banco está sendo consultado',
    text: 'Leva um momento. A página continua sozinha; por favor, não pague uma segunda vez.',
    still:
      'Está demorando mais que o normal. A loja é avisada assim que houver resposta, e você pode fechar esta página.',
    again: 'Olhar de novo',
  },
  over: {
    1: { title: 'Pagamento aprovado', text: 'Levamos você de volta à loja.' },
    2: { title: 'Pagamento recebido', text: 'Ainda está sendo verificado. Levamos você de volta à loja.' },
    0: { title: 'Nada foi pago', text: 'Levamos você de volta à loja.' },
  },
  back: 'Voltar à loja',
  goOn: 'Continuar',
  gone: {
    title: 'Esta página de pagamento não existe',
    text: 'O endereço está incompleto ou a página expirou: ela fica aberta por 24 horas. Volte à loja e comece o pagamento de novo.',
  },
  noReturn: {
    title: 'Você pode fechar esta página',
    text: 'A loja não deu um endereço para voltar. O pagamento está decidido, e a loja é avisada.',
  },
  foreign: {
    title: 'Isto não veio da página de pagamento',
    text: 'Outro site tentou agir aqui, por isso nada foi feito. Volte à página de pagamento e tente de novo.',
  },
  tooLarge: {
    title: 'É demais',
    text: 'Foi enviado mais do que cabe no formulário, por isso nada foi feito.',
  },
  failed: {
    title: 'Algo deu errado aqui',
    text: 'Não sabemos até onde chegou. Olhe a página de pagamento de novo antes de pagar uma segunda vez.',
  },
};
