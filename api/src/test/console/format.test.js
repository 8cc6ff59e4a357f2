import assert from 'node:assert/strict';
import test from 'node:test';
import {ago, bytes, count, counted, cut, duration, localText, plain, reveal, shortText} from '../../main/resources/gatebook/api/console/format.js';

test('A duration has about three digits', () => {
  const expected = new Map([
    [0, '0 ms'], [0.012, '0.012 ms'], [0.4, '0.4 ms'], [1.234, '1.23 ms'], [12, '12 ms'], [12.34, '12.3 ms'], [123.4, '123 ms'],
    [999, '999 ms'], [999.6, '1 s'], [1_000, '1 s'], [3_214, '3.21 s'], [59_990, '60 s'], [60_000, '1 min'], [125_000, '2 min 5 s'],
    [3_600_000, '1 h'], [11_100_000, '3 h 5 min'], [90_000_000, '1 d 1 h'], [-5, '\u22125 ms'],
  ]);
  for (const [millis, text] of expected) {
    assert.equal(duration(millis), text);
  }
  assert.equal(duration(null), '–');
});

test('A size has a binary unit', () => {
  assert.deepEqual([0, 1, 1_023, 1_024, 65_536, 1_500_000, 3 * 1_024 ** 3].map(bytes),
    ['0 bytes', '1 byte', '1,023 bytes', '1 KiB', '64 KiB', '1.43 MiB', '3 GiB']);
});

test('A count has its noun', () => {
  assert.equal(count(1_234_567), '1,234,567');
  assert.equal(counted(1, 'call'), '1 call');
  assert.equal(counted(2_000, 'call'), '2,000 calls');
  assert.equal(counted(0, 'tree of tasks', 'trees of tasks'), '0 trees of tasks');
});

test('A time is local, whatever its digits', () => {
  const at = new Date(2026, 0, 2, 3, 4, 5, 6);
  const iso = at.toISOString().replace('Z', '123456Z');
  assert.equal(localText(iso), '2026-01-02 03:04:05');
  assert.equal(localText(iso, 'millis'), '2026-01-02 03:04:05.006');
  assert.equal(localText(iso, 'time'), '03:04:05');
  assert.equal(localText('never'), 'never');
});

test('A time is so long ago', () => {
  const now = Date.parse('2026-01-02T03:04:05Z');
  assert.equal(ago('2026-01-02T03:02:00Z', now), '2 min 5 s ago');
  assert.equal(ago('2026-01-02T03:14:05Z', now), 'in 10 min');
  assert.equal(ago('2026-01-02T03:04:05.5Z', now), 'now');
});

test('Hidden characters are shown by name', () => {
  assert.deepEqual(reveal('a\u202eb'), [{text: 'a', hidden: false}, {text: 'U+202E', hidden: true}, {text: 'b', hidden: false}]);
  assert.equal(plain('\u0000\u0085\u200b\u00ad\ufeff\u{e0041}\ud800'), '⟨U+0000⟩⟨U+0085⟩⟨U+200B⟩⟨U+00AD⟩⟨U+FEFF⟩⟨U+E0041⟩⟨U+D800⟩');
  assert.equal(plain('tab\tline\n'), 'tab⟨U+0009⟩line⟨U+000A⟩');
});

test('What is seen stays as it is', () => {
  for (const text of ['', 'delete_all', 'Zürich-契約-🗝', 'a b', '<script>alert(1)</script>']) {
    assert.equal(plain(text), text);
  }
});

test('A cut text keeps its characters whole', () => {
  assert.equal(cut('abcdef', 6), 'abcdef');
  assert.equal(cut('abcdefg', 6), 'abcde…');
  assert.equal(cut('abcd🗝efg', 6), 'abcd…');
});

test('A short id is enough to tell', () => {
  assert.equal(shortText('0199a1b2-0001-7000-8000-00000000abcd'), '0199a1b2…abcd');
  assert.equal(shortText(`sha256:${'0123456789abcdef'.repeat(4)}`), '0123456789ab');
  assert.equal(shortText('last-tuesday'), 'last-tuesday');
  assert.equal(shortText(null), '–');
});
