import assert from 'node:assert/strict';
import test from 'node:test';
import {changedPart, diff, hunks, linesOf} from '../../main/resources/gatebook/api/console/diff.js';

const SIGNS = {same: ' ', removed: '-', added: '+'};

function shown(before, after, options) {
  return diff(before, after, options).lines.map(({kind, text}) => SIGNS[kind] + text);
}

/** A generator of numbers that is the same in every run. */
function randomly(seed) {
  let state = seed;
  return max => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % max;
  };
}

test('Equal texts have no difference', () => {
  assert.deepEqual(diff('a\nb\n', 'a\nb\n'), {
    lines: [
      {kind: 'same', text: 'a', before: 1, after: 1},
      {kind: 'same', text: 'b', before: 2, after: 2},
    ],
    added: 0,
    removed: 0,
    isExact: true,
  });
});

test('Changed lines are numbered in both texts', () => {
  assert.deepEqual(diff('a\nb\nc\n', 'a\nx\nc\nd'), {
    lines: [
      {kind: 'same', text: 'a', before: 1, after: 1},
      {kind: 'removed', text: 'b', before: 2, after: null},
      {kind: 'added', text: 'x', before: null, after: 2},
      {kind: 'same', text: 'c', before: 3, after: 3},
      {kind: 'added', text: 'd', before: null, after: 4},
    ],
    added: 2,
    removed: 1,
    isExact: true,
  });
});

test('The difference is the shortest', () => {
  assert.deepEqual(shown('a\nb\nc\na\nb\nb\na', 'c\nb\na\nb\na\nc').filter(it => it[0] !== ' ').length, 5);
  assert.deepEqual(shown('', 'a\nb'), ['+a', '+b']);
  assert.deepEqual(shown('a\nb', ''), ['-a', '-b']);
  assert.deepEqual(shown('', ''), []);
  assert.deepEqual(shown('a\na', 'a\na\na').filter(it => it[0] === '+'), ['+a']);
});

test('A difference rebuilds both texts', () => {
  const random = randomly(7);
  for (let round = 0; round < 300; round++) {
    const text = () => Array.from({length: random(30)}, () => 'abcd'[random(4)]).join('\n');
    const [before, after] = [text(), text()];
    const {lines, added, removed} = diff(before, after);
    assert.deepEqual(lines.filter(it => it.kind !== 'added').map(it => it.text), linesOf(before));
    assert.deepEqual(lines.filter(it => it.kind !== 'removed').map(it => it.text), linesOf(after));
    assert.deepEqual(
      [added, removed],
      [lines.filter(it => it.kind === 'added').length, lines.filter(it => it.kind === 'removed').length]);
    assert.equal(linesOf(before).length + linesOf(after).length - added - removed, 2 * common(linesOf(before), linesOf(after)));
  }
});

/** The length of the longest common subsequence, by the textbook. */
function common(a, b) {
  const lengths = Array.from({length: a.length + 1}, () => new Array(b.length + 1).fill(0));
  a.forEach((one, i) => b.forEach((other, j) => {
    lengths[i + 1][j + 1] = one === other ? lengths[i][j] + 1 : Math.max(lengths[i][j + 1], lengths[i + 1][j]);
  }));
  return lengths[a.length][b.length];
}

test('Too many changes are shown as replaced', () => {
  const before = ['head', ...Array.from({length: 50}, (_, i) => `a${i}`), 'tail'].join('\n');
  const after = ['head', ...Array.from({length: 50}, (_, i) => `b${i}`), 'tail'].join('\n');
  const {lines, added, removed, isExact} = diff(before, after, {editsMax: 10});
  assert.deepEqual([added, removed, isExact], [50, 50, false]);
  assert.deepEqual([lines[0].kind, lines[50].kind, lines[51].kind, lines.at(-1).kind], ['same', 'removed', 'added', 'same']);
});

test('Large texts with few changes are compared at once', () => {
  const lines = Array.from({length: 50_000}, (_, i) => `line ${i % 97}`);
  const changed = lines.toSpliced(25_000, 2, 'new');
  const {added, removed} = diff(lines.join('\n'), changed.join('\n'));
  assert.deepEqual([added, removed], [1, 2]);
});

test('Lines without changes nearby are skipped', () => {
  const lines = diff(['x', ...'abcdefgh'].join('\n'), ['y', ...'abcdefgh'].join('\n')).lines;
  assert.deepEqual(
    hunks(lines, 2).map(part => (part.lines ? part.lines.map(it => it.text).join('') : -part.skipped.length)),
    ['xyab', -6]);
});

test('Two lines differ from one character to another', () => {
  assert.deepEqual(changedPart('action: deny', 'action: forward'), [8, 12, 15]);
  assert.deepEqual(changedPart('a🙂b', 'a🙃b'), [1, 3, 3]);
  assert.deepEqual(changedPart('same', 'same'), [4, 4, 4]);
  assert.deepEqual(changedPart('aa', 'aaa'), [2, 2, 3]);
});
