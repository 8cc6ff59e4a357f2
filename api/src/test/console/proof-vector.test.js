import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import test from 'node:test';
import {verify} from '../../main/resources/gatebook/api/console/proof.js';

test('The vector of a node is verified', async () => {
  const answer = JSON.parse(await readFile(new URL('proof-vector.json', import.meta.url), 'utf8'));
  const {signature, checkpoint, events} = await verify(answer);
  assert.equal(signature.ok, true);
  assert.equal(checkpoint.size, answer.checkpoint.size);
  assert.deepEqual(events.map(it => [it.position, it.state]), answer.events.map(it => [it.position, 'included']));
});
