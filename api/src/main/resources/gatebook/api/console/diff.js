// The difference between two texts, line by line, by Myers' algorithm. Pure.

const EDITS_MAX = 1_500;

/**
 * Compares two texts.
 *
 * @return `{lines, added, removed, isExact}`: each line is `{kind, text, before, after}`, where the
 *     kind is `same`, `removed` or `added`, and `before` and `after` are its numbers in the texts,
 *     from 1, null where it is not there. When more than `editsMax` lines differ, what is between
 *     the common beginning and end is shown as replaced, and `isExact` is false.
 */
export function diff(before, after, {editsMax = EDITS_MAX} = {}) {
  const a = linesOf(before);
  const b = linesOf(after);
  const head = commonLength(a, b, index => index);
  const tailMax = Math.min(a.length, b.length) - head;
  const tail = Math.min(tailMax, commonLength(a, b, (index, lines) => lines.length - 1 - index));
  const [oldPart, newPart] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  const steps = editsOf(oldPart, newPart, editsMax);
  const kinds = [
    ...new Array(head).fill('same'),
    ...(steps ?? [...oldPart.map(() => 'removed'), ...newPart.map(() => 'added')]),
    ...new Array(tail).fill('same'),
  ];
  return {...numbered(kinds, a, b), isExact: steps !== null};
}

/** The lines of a text; a last line feed ends the last line and begins no other. */
export function linesOf(text) {
  if (text === '') {
    return [];
  }
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function commonLength(a, b, at) {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[at(length, a)] === b[at(length, b)]) {
    length++;
  }
  return length;
}

/** What happens line by line, the fewest changes; null when there would be too many. */
function editsOf(a, b, editsMax) {
  const most = Math.min(a.length + b.length, editsMax);
  const reach = new Reach(most + 1);
  const history = [];
  for (let edits = 0; edits <= most; edits++) {
    const isFound = step(reach, edits, a, b);
    history.push(reach.copy(edits));
    if (isFound) {
      return backwards(history, a, b);
    }
  }
  return null;
}

/** How far in the first text the best path on each diagonal comes. */
class Reach {
  #middle;
  #x;

  constructor(diagonalMax, x = new Int32Array(2 * diagonalMax + 1)) {
    this.#middle = diagonalMax;
    this.#x = x;
  }

  get(diagonal) {
    return this.#x[this.#middle + diagonal];
  }

  set(diagonal, x) {
    this.#x[this.#middle + diagonal] = x;
  }

  /** The diagonals up to the one given. */
  copy(diagonalMax) {
    return new Reach(diagonalMax, this.#x.slice(this.#middle - diagonalMax, this.#middle + diagonalMax + 1));
  }
}

/** Goes one change further on each diagonal; true once the end is reached. */
function step(reach, edits, a, b) {
  for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
    let x = edits === 0 ? 0 : isAddition(reach, diagonal, edits) ? reach.get(diagonal + 1) : reach.get(diagonal - 1) + 1;
    while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) {
      x++;
    }
    reach.set(diagonal, x);
    if (x >= a.length && x - diagonal >= b.length) {
      return true;
    }
  }
  return false;
}

/** Whether the best path to a diagonal adds a line, rather than removes one. */
function isAddition(reach, diagonal, edits) {
  return diagonal === -edits || (diagonal !== edits && reach.get(diagonal - 1) < reach.get(diagonal + 1));
}

function backwards(history, a, b) {
  const kinds = [];
  let [x, y] = [a.length, b.length];
  for (let edits = history.length - 1; edits > 0; edits--) {
    const before = history[edits - 1];
    const diagonal = x - y;
    const isAdded = isAddition(before, diagonal, edits);
    const from = isAdded ? diagonal + 1 : diagonal - 1;
    const startX = before.get(from) + (isAdded ? 0 : 1);
    for (; x > startX; x--) {
      kinds.push('same');
    }
    kinds.push(isAdded ? 'added' : 'removed');
    x = before.get(from);
    y = x - from;
  }
  for (; x > 0; x--) {
    kinds.push('same');
  }
  return kinds.reverse();
}

function numbered(kinds, a, b) {
  let [i, j] = [0, 0];
  let [added, removed] = [0, 0];
  const lines = kinds.map(kind => {
    switch (kind) {
      case 'removed':
        removed++;
        return {kind, text: a[i++], before: i, after: null};
      case 'added':
        added++;
        return {kind, text: b[j++], before: null, after: j};
      default:
        i++;
        return {kind, text: b[j++], before: i, after: j};
    }
  });
  return {lines, added, removed};
}

/**
 * The lines in parts: `{lines}` with changes and as many lines around them as given, and `{skipped}`
 * with the lines between, which are the same in both texts.
 */
export function hunks(lines, around = 3) {
  const near = new Array(lines.length).fill(false);
  lines.forEach(({kind}, index) => {
    if (kind !== 'same') {
      near.fill(true, Math.max(0, index - around), Math.min(lines.length, index + around + 1));
    }
  });
  const parts = [];
  lines.forEach((line, index) => {
    const name = near[index] ? 'lines' : 'skipped';
    if (!parts.at(-1)?.[name]) {
      parts.push({[name]: []});
    }
    parts.at(-1)[name].push(line);
  });
  return parts;
}

/** Where two lines differ, as `[begin, endInFirst, endInSecond]`; whole characters only. */
export function changedPart(one, other) {
  const [a, b] = [Array.from(one), Array.from(other)];
  const head = commonLength(a, b, index => index);
  const tail = Math.min(Math.min(a.length, b.length) - head, commonLength(a, b, (index, text) => text.length - 1 - index));
  const lengthOf = (text, count) => text.slice(0, count).join('').length;
  return [lengthOf(a, head), lengthOf(a, a.length - tail), lengthOf(b, b.length - tail)];
}
