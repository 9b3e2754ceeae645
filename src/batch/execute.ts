/** The second pass over a file: its instructions, cut into chunks, go to the gateway; chunks that are done already do not. */
import { type Chunk, Chunker } from '../core/chunk.ts';
import type { Reason } from '../core/code.ts';
import type { Result } from '../core/gateway.ts';
import { isInvalid } from '../core/instruction.ts';
import type { OpenedFile } from '../files/open.ts';
import { Dispatcher, type Halt, type Send } from './dispatch.ts';
import type { LineReader } from './lines.ts';

export interface Execution {
  readonly opened: OpenedFile;
  readonly reader: LineReader;
  readonly send: Send;
  /** Chunks in flight at most. */
  readonly concurrency: number;
  /** The lines to execute, where it is not all of them. */
  readonly only: ReadonlySet<number> | undefined;
  /** True for a chunk whose results are known: it is not sent. */
  readonly skip: (chunk: Chunk) => Promise<boolean>;
  /** Takes the results of a chunk; it counts as in flight until this has ended. */
  readonly onResults: (chunk: Chunk, results: readonly Result[]) => Promise<void>;
  /** Asked before each chunk is sent: `interrupted` and `stopped` end the execution after what is in flight. */
  readonly halt: () => Halt | undefined;
  readonly onProgress: ((lines: number) => void) | undefined;
}

export type ExecutionEnd = 'finished' | Halt | { readonly failure: Reason };

/** Executes; on return nothing is in flight any more. */
export async function execute(execution: Execution): Promise<ExecutionEnd> {
  const { send, concurrency, onResults, halt } = execution;
  const dispatcher = new Dispatcher(send, concurrency, onResults, halt);
  try {
    for await (const chunk of chunksOf(execution)) {
      if (await execution.skip(chunk)) continue;
      await dispatcher.add(chunk);
      if (dispatcher.ended !== undefined) break;
    }
    await dispatcher.end();
    return dispatcher.ended ?? 'finished';
  } catch (error) {
    await dispatcher.abandon();
    throw error;
  }
}

/** The chunks of the file, in the order in which they may be executed. */
export async function* chunksOf({
  opened,
  reader,
  only,
  onProgress,
}: Pick<Execution, 'opened' | 'reader' | 'only' | 'onProgress'>): AsyncGenerator<Chunk> {
  const chunker = new Chunker();
  let lines = 0;
  for await (const rows of opened.rows()) {
    for (const row of rows) {
      if (only !== undefined && !only.has(row.line)) continue;
      const { parsed, account } = reader.read(row);
      if (!isInvalid(parsed)) yield* chunker.add(parsed, account!);
    }
    lines += rows.length;
    onProgress?.(lines);
  }
  yield* chunker.end();
}
