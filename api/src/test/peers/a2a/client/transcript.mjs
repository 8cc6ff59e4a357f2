// What a client did and what came of it, as one JSON document.

const ID_MEMBERS = ['id', 'taskId', 'contextId', 'messageId'];

export class Transcript {
  #steps = [];
  #names = new Map();

  /** Does something, and writes down what came of it: a result, or an error. */
  async step(name, act) {
    const entry = { step: name };
    this.#steps.push(entry);
    try {
      const result = (await act()) ?? null;
      entry.result = this.#named(result);
      return result ?? {};
    } catch (error) {
      entry.error = this.#named(told(error));
      return {};
    }
  }

  print() {
    process.stdout.write(`${JSON.stringify(this.#steps)}\n`);
  }

  /** The names of ids that were seen before, in the order in which they were. */
  seen(ids) {
    return [...this.#names].filter(([id]) => ids.includes(id)).map(([, name]) => name);
  }

  /** Ids and times differ each time; which of them are the same does not. */
  #named(value) {
    const text = JSON.stringify(value, (key, it) => {
      if (ID_MEMBERS.includes(key) && typeof it === 'string' && it.length > 20) {
        this.#names.set(it, this.#names.get(it) ?? `id-${this.#names.size + 1}`);
      }
      return key === 'timestamp' ? 'T' : it;
    });
    return JSON.parse([...this.#names].reduce((all, [id, name]) => all.replaceAll(id, name), text));
  }
}

/** An error of the protocol has a name of the SDK; any other is one of the connection. */
function told(error) {
  const { name, code, envelope, message } = error;
  return { name, code: code ?? envelope?.code, message };
}
