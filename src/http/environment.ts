/** What travels with a request through the adapter. */
import type { HttpBindings } from '@hono/node-server';

/** What is learnt about a request on its way, for the log and the figures. */
export interface Learnt {
  merchantId?: string;
  accountId?: string;
  entries?: number;
  code?: string;
}

export interface HttpEnv {
  /** Node's own request; absent where a request does not come by a socket. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** Made here: one that a client sends is not believed. */
    readonly requestId: string;
    readonly learnt: Learnt;
  };
}
