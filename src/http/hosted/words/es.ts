import type { Words } from './words.ts';

/** For shoppers who pay by OXXO, SPEI or PSE, and all others who read Spanish. */
export const SPANISH: Words = {
  language: 'es',
  payTitle: (amount) => `Pagar ${amount}`,
  to: (merchant) => `a ${merchant}`,
  order: 'Número de pedido',
  items: 'Lo que compra',
  form: {
    title: 'Pagar con tarjeta',
    card: 'Número de tarjeta',
    cardHint: 'Los 12 a 19 dígitos de la tarjeta; los espacios no importan.',
    expiry: 'Válida hasta',
    month: 'Mes',
    year: 'Año',
    yearShape: 'AA',
    code: 'Código de seguridad',
    codeHint: '3 o 4 dígitos en la tarjeta.',
    stored: (last4) => `Pagar con la tarjeta terminada en ${last4}`,
    other: 'Usar otra tarjeta',
    pay: (amount) => `Pagar ${amount}`,
    leave: 'Cancelar y volver a la tienda',
    promise: 'La tienda nunca ve el número de su tarjeta. Nadie guarda el código de seguridad.',
  },
  faults: {
    title: 'Hay algo que corregir',
    noCard: 'Escriba el número de tarjeta',
    badCard: 'Revise el número de tarjeta: falta un dígito o hay uno equivocado',
    badMonth: 'Escriba el mes de 01 a 12',
    badYear: 'Escriba el año como está en la tarjeta, por ejemplo 29',
    pastExpiry: 'La tarjeta está vencida: revise el mes y el año, o use otra tarjeta',
    badCode: (digits) => `Escriba los ${digits ?? '3 o 4'} dígitos del código de seguridad`,
    typeAgain: 'El número de tarjeta y el código de seguridad no vuelven a esta página; escríbalos de nuevo.',
  },
  methods: {
    known: {
      pix: {
        name: 'Pix',
        happens: 'Escanearía un código QR con la aplicación de su banco y confirmaría allí el importe.',
      },
      boleto: {
        name: 'Boleto bancário',
        happens: 'Recibiría un boleto y lo pagaría en un banco o en su aplicación en unos días.',
      },
      oxxo: { name: 'OXXO', happens: 'Recibiría un vale y lo pagaría en efectivo en una tienda OXXO.' },
      spei: {
        name: 'SPEI',
        happens: 'Recibiría una CLABE y transferiría el importe a ella desde su banco.',
      },
      pse: {
        name: 'PSE',
        happens: 'Pasaría a las páginas de su banco y confirmaría un débito de su cuenta.',
      },
      bank_transfer: {
        name: 'Transferencia bancaria',
        happens: 'Recibiría los datos bancarios de la tienda y les transferiría el importe.',
      },
      wallet: {
        name: 'Monedero electrónico',
        happens: 'Entraría en su monedero y confirmaría allí el importe.',
      },
    },
    other: (method) => ({ name: method, happens: 'Confirmaría el importe con este método.' }),
    title: (method) => `Pagar con ${method}`,
    happens: 'Lo que ocurriría',
    decide: 'Esta página sustituye al método de pago: usted decide cómo termina.',
    approve: (amount) => `Aprobar ${amount}`,
    decline: 'Rechazar',
  },
  challenge: {
    title: 'Confirme que es usted',
    text: 'Su banco quiere estar seguro de que es usted quien paga. Responda en la ventana de abajo.',
    frame: 'Su banco: confirme el pago',
    issuer: 'Emisor de tarjetas simulado',
    question: (amount, merchant) => `¿Quiere pagar ${amount} a ${merchant}?`,
    pass: 'Sí, confirmar',
    fail: 'No, rechazar',
  },
  waiting: {
    title: 'Se está consultando a su banco',
    text: 'Tarda un momento. La página continúa sola; no pague por segunda vez, por favor.',
    still:
      'Tarda más de lo normal. Avisamos a la tienda en cuanto haya respuesta, y puede cerrar esta página.',
    again: 'Mirar de nuevo',
  },
  over: {
    1: { title: 'Pago aprobado', text: 'Le llevamos de vuelta a la tienda.' },
    2: { title: 'Pago recibido', text: 'Todavía se está revisando. Le llevamos de vuelta a la tienda.' },
    0: { title: 'No se ha pagado nada', text: 'Le llevamos de vuelta a la tienda.' },
  },
  back: 'Volver a la tienda',
  goOn: 'Continuar',
  gone: {
    title: 'Esta página de pago no existe',
    text: 'La dirección está incompleta o la página ha caducado: está abierta 24 horas. Vuelva a la tienda y comience el pago de nuevo.',
  },
  noReturn: {
    title: 'Puede cerrar esta página',
    text: 'La tienda no dio una dirección a la que volver. El pago está decidido y se avisa a la tienda.',
  },
  foreign: {
    title: 'Esto no vino de la página de pago',
    text: 'Otro sitio intentó actuar aquí, así que no se hizo nada. Vuelva a la página de pago e inténtelo de nuevo.',
  },
  tooLarge: {
    title: 'Es demasiado',
    text: 'Se envió más de lo que cabe en el formulario, así que no se hizo nada.',
  },
  failed: {
    title: 'Algo ha fallado aquí',
    text: 'No sabemos hasta dónde llegó. Mire la página de pago de nuevo antes de pagar por segunda vez.',
  },
};
