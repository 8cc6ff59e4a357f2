// Server-sent events, as the tail sends them.

/**
 * Reads server-sent events from chunks of text.
 *
 * Calls `onEvent({id, name, data})` for each event, and `onPosition(id)` for a block that has an id
 * and no data, as the tail sends to say how far it has read. Lines end with LF or CRLF.
 */
export class SseParser {
  #onEvent;
  #onPosition;
  #lineCharsMax;
  #rest = '';
  #id = '';
  #name = '';
  #data = null;
  #hasId = false;

  constructor({onEvent, onPosition = () => {}, lineCharsMax = 64 * 1024 * 1024}) {
    this.#onEvent = onEvent;
    this.#onPosition = onPosition;
    this.#lineCharsMax = lineCharsMax;
  }

  /** Reads a chunk, which may end anywhere. Throws when a line exceeds the limit. */
  push(chunk) {
    const first = chunk.indexOf('\n');
    if (first < 0) {
      this.#keep(this.#rest + chunk);
      return;
    }
    this.#line(this.#rest + chunk.slice(0, first));
    let begin = first + 1;
    for (let end = chunk.indexOf('\n', begin); end >= 0; end = chunk.indexOf('\n', begin)) {
      this.#line(chunk.slice(begin, end));
      begin = end + 1;
    }
    this.#keep(chunk.slice(begin));
  }

  #keep(rest) {
    if (rest.length > this.#lineCharsMax) {
      throw new RangeError('a line of the tail is too long');
    }
    this.#rest = rest;
  }

  #line(text) {
    const line = text.endsWith('\r') ? text.slice(0, -1) : text;
    const colon = line.indexOf(':');
    if (line === '') {
      this.#dispatch();
    } else if (colon < 0) {
      this.#field(line, '');
    } else if (colon > 0) {
      this.#field(line.slice(0, colon), line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1));
    }
  }

  #field(name, value) {
    if (name === 'data') {
      this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
    } else if (name === 'event') {
      this.#name = value;
    } else if (name === 'id') {
      this.#id = value;
      this.#hasId = true;
    }
  }

  #dispatch() {
    if (this.#data !== null) {
      this.#onEvent({id: this.#id, name: this.#name, data: this.#data});
    } else if (this.#hasId) {
      this.#onPosition(this.#id);
    }
    this.#name = '';
    this.#data = null;
    this.#hasId = false;
  }
}
