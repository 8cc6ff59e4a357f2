// What a client did and what it saw, as one JSON document.

import { createHash } from 'node:crypto';

const PATIENCE_MILLIS = 10_000;

/** The member of the params that says what a method is aimed at. */
const AIMS = {
  'tools/call': ({ name }) => name,
  'prompts/get': ({ name }) => name,
  'resources/read': ({ uri }) => uri,
  'resources/subscribe': ({ uri }) => uri,
  'completion/complete': ({ ref: { name, uri } }) => name ?? uri,
};

export class Transcript {
  #steps = [];
  #now;
  #calls = [];

  /** What came unasked belongs to the step that was under way. */
  note(what) {
    this.#now?.notes.push(what);
  }

  /** Does something, and writes down what came of it: a result, or an error as the protocol has it. */
  async step(name, act) {
    this.#now = { step: name, notes: [] };
    this.#steps.push(this.#now);
    try {
      this.#now.result = shortened((await act()) ?? null);
    } catch (error) {
      this.#now.error = told(error);
    }
    return this.#now.result;
  }

  /** Returns when so many notes of the present step are of a method. */
  async noted(method, count = 1) {
    const { step, notes } = this.#now;
    const deadline = Date.now() + PATIENCE_MILLIS;
    while (notes.filter((it) => it.method === method).length < count) {
      if (Date.now() > deadline) {
        throw new Error(`${step}: ${method} did not come ${count} times`);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /**
   * Looks at every message on the wire, lists each call to somebody else's things, and notes all progress: the SDK drops
   * what comes in one read with the result.
   */
  watch(transport) {
    const open = new Map();
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      this.#sent(message, open);
      return send(message, options);
    };
    transport.onmessage = (message) => {
      received(message, open);
      if (message.method === 'notifications/progress') {
        const { progressToken, ...params } = message.params;
        this.note({ method: 'progress', params });
      }
    };
    return transport;
  }

  #sent({ id, method, params }, open) {
    if (method in AIMS) {
      const call = { method, target: AIMS[method](params), outcome: 'none' };
      this.#calls.push(call);
      open.set(id, call);
    }
  }

  print() {
    const document = { steps: this.#steps, calls: this.#calls };
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  }
}

/** Of a call that is answered, how; what came of others stays untold. */
function received({ id, result, error }, open) {
  const call = open.get(id);
  if (call !== undefined && (result !== undefined || error !== undefined)) {
    call.outcome = error ? `error ${error.code}` : result.isError ? 'tool error' : 'result';
  }
}

/** Errors of the protocol have a number; any other is the client's own, or one of its connection. */
const told = ({ name, code, message, data }) =>
  Number.isInteger(code) ? { code, message, data } : { name, code, message };

/** Texts too long to be compared by eye are told by their length and digest. */
function shortened(value) {
  return JSON.parse(
    JSON.stringify(value, (_, it) =>
      typeof it === 'string' && it.length > 1_000
        ? { length: it.length, sha256: createHash('sha256').update(it).digest('hex') }
        : it,
    ),
  );
}

/** All pages of a list as one; how it is cut into pages is the server's business. */
export async function allPages(ask, member) {
  const all = [];
  let cursor;
  do {
    const { [member]: items, nextCursor } = await ask(cursor);
    all.push(...items);
    cursor = nextCursor;
  } while (cursor !== undefined);
  return all;
}

export const WATCHED = 'test://watched-resource';
export const UPDATED = 'notifications/resources/updated';
export const TOOLS_CHANGED = 'notifications/tools/list_changed';

/** What each tool is called with; those not named here are called with nothing. */
export const TOOL_ARGUMENTS = {
  add: { a: 2, b: 40 },
  echo: { what: ['\u{1f980} ü \u0001 \u2028', 1e21, -0.5, null, { deep: [[[]]] }] },
  json_schema_2020_12_tool: { name: 'n', phone: '1', contactMethod: 'phone' },
  repeat: { times: 1_000_000 },
  routed: { region: 'norden ü' },
  test_elicitation: { message: 'who are you?' },
  test_sampling: { prompt: 'say something' },
  touch_resource: { uri: WATCHED },
};

export const PROMPT_ARGUMENTS = {
  test_prompt_with_arguments: { arg1: 'hello', arg2: 'world' },
  test_prompt_with_embedded_resource: { resourceUri: 'test://static-text' },
};

/** What a user, a model and a disk would answer. */
export const SAMPLED = {
  role: 'assistant',
  model: 'scripted',
  content: { type: 'text', text: 'something' },
};
export const ELICITED = {
  action: 'accept',
  content: { username: 'u', email: 'u@example.org', name: 'n', color: 'c', context: 'x', ok: true },
};
export const ROOTS = { roots: [{ uri: 'file:///roots/one', name: 'one' }] };
