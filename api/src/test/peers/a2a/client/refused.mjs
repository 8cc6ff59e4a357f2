// How the official client of A2A 0.3 reads errors before the first item of a stream.
// Usage: node refused.mjs URL
// Prints what came of each step.

import { randomUUID } from 'node:crypto';
import { ClientFactory } from 'a2a-js-sdk-0.3/client';
import { Transcript } from './transcript.mjs';

const transcript = new Transcript();
const client = await new ClientFactory().createFromAgentCard({
  name: 'agent',
  description: '',
  version: '1',
  protocolVersion: '0.3.0',
  url: process.argv[2],
  preferredTransport: 'JSONRPC',
  capabilities: { streaming: true },
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
});

/** The SDK has the error of the protocol as the cause of its own. */
async function end(stream) {
  try {
    const items = [];
    for await (const item of stream) {
      items.push(item.kind);
    }
    return items;
  } catch (error) {
    throw { name: (error.cause ?? error).constructor.name, message: error.message };
  }
}

const message = (metadata) => ({
  message: {
    kind: 'message',
    role: 'user',
    messageId: randomUUID(),
    parts: [{ kind: 'data', data: {} }],
    metadata,
  },
});

const stream = (skillId) => end(client.sendMessageStream(message({ skillId })));
await transcript.step('stream', () => stream('echo'));
await transcript.step('stream: denied', () => stream('delete_all'));
await transcript.step('stream: unknown skill', () => stream('none'));
await transcript.step('subscribe: unknown task', () => end(client.resubscribeTask({ id: 'none' })));

transcript.print();
