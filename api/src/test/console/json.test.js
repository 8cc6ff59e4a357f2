import assert from 'node:assert/strict';
import test from 'node:test';
import {ExactNumber, parse, print} from '../../main/resources/gatebook/api/console/json.js';

test('A value is printed as it was recorded', () => {
  for (const text of ['null', 'true', '""', '1.50', '12345678901234567890', '1e3', '-0', '-0.0', '[]', '{}', '[1,[2,{"a":[]}]]',
    '{"2":"b","1":"a","10":"c"}', '{"__proto__":{"x":1},"constructor":null}', '{"a":1,"toString":2}', '"\\u202e\\n\\"\\\\"']) {
    const again = print(parse(text), false);
    assert.equal(again, JSON.stringify(JSON.parse(text)) === text ? text : again);
    assert.deepEqual(JSON.parse(again), JSON.parse(text));
  }
  assert.equal(print(parse('{"2":1.50,"1":[12345678901234567890,-0]}'), false), '{"2":1.50,"1":[12345678901234567890,-0]}');
});

test('A value is the one that the browser reads', () => {
  for (const text of ['{"a": [1, 2.5, true, false, null, "x"], "b": {"c": "\\ud83d\\udddd"}}', ' [ ] ', '[{"a":1},{"a":2}]', '-12.5e-3']) {
    assert.equal(JSON.stringify(Number(parse(text)) === parse(text) ? parse(text) : unwrapped(parse(text))), JSON.stringify(JSON.parse(text)));
  }
});

function unwrapped(value) {
  return value instanceof ExactNumber ? Number(value) : value;
}

test('An exact number computes', () => {
  const number = parse('3600.0');
  assert.equal(number * 2, 7_200);
  assert.equal(`${number}`, '3600.0');
});

test('A member named like a prototype changes nothing', () => {
  const value = parse('{"__proto__":{"polluted":true}}');
  assert.equal(value.polluted, undefined);
  assert.equal({}.polluted, undefined);
  assert.deepEqual(Object.keys(value), ['__proto__']);
});

test('What is no JSON is refused', () => {
  for (const text of ['', '{', '[1,]', '{"a"}', '{"a":1,}', '01', '1 2', '"a', '"\\', 'tru', '{a:1}', '[1 2]', 'NaN', '+1', '"\n"']) {
    assert.throws(() => parse(text), SyntaxError, text);
  }
});

test('A value is indented', () => {
  assert.equal(print(parse('{"a":[1,{}],"b":"x"}')), '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": "x"\n}');
});
