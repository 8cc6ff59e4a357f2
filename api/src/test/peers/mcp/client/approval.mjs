// What a client does with a tool that waits for a person. Prints what came of it as one JSON document.
// Usage: node approval.mjs ask URL        asks for a task, and leaves
//        node approval.mjs fetch URL ID   comes for the result of a task
//        node approval.mjs again URL      calls, and comes again for as long as it is told to

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Older } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';

const INFO = { name: 'scripted', version: '1.0.0' };
const DEPLOY = { name: 'deploy', arguments: { version: '1' } };

const [how, address, id] = process.argv.slice(2);
const url = new URL(address);

const withTasks = async (act) => {
  const client = new Older(INFO, { capabilities: { tasks: {} } });
  await client.connect(new OlderTransport(url));
  await client.listTools(); // which tools may become tasks, the SDK learns here
  const outcome = await act(client.experimental.tasks);
  await client.close();
  return outcome;
};

const first = async (stream) => {
  for await (const message of stream) {
    return message;
  }
};

const DEEDS = {
  ask: () => withTasks((tasks) => first(tasks.callToolStream(DEPLOY, CallToolResultSchema))),
  fetch: () => withTasks((tasks) => tasks.getTaskResult(id, CallToolResultSchema)),
  again: async () => {
    const versionNegotiation = { mode: { pin: '2026-07-28' } };
    const client = new Client(INFO, { capabilities: {}, versionNegotiation });
    await client.connect(new StreamableHTTPClientTransport(url));
    const result = await client.callTool(DEPLOY);
    await client.close();
    return result;
  },
};

console.log(JSON.stringify(await DEEDS[how]()));
