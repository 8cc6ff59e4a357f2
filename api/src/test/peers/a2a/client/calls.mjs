// Everything that the official client of A2A 1.0 can do with one agent.
// Usage: node calls.mjs URL | node calls.mjs --card URL
// With --card, the agent's card is fetched from the URL; else the URL is that of the agent itself.
// SKILLS in the environment maps a wish to a skill that is called with data instead of a text.
// Prints what came of each step, with ids and times replaced by their order.

import { randomUUID } from 'node:crypto';
import {
  AgentCard,
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  Message,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { Transcript } from './transcript.mjs';

const arguments_ = process.argv.slice(2);
const url = arguments_.at(-1);
const skills = JSON.parse(process.env.SKILLS ?? '{}');
const transcript = new Transcript();
const step = (name, act) => transcript.step(name, act);

const cardOf = (address) =>
  AgentCard.fromJSON({
    name: 'agent',
    version: '1',
    capabilities: { streaming: true, pushNotifications: true },
    supportedInterfaces: [{ url: address, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  });

const factory = new ClientFactory();
let client;
await step('card', async () => {
  client = await (arguments_[0] === '--card'
    ? factory.createFromUrl(url)
    : factory.createFromAgentCard(cardOf(url)));
  return arguments_[0] === '--card' ? AgentCard.toJSON(await client.getAgentCard()).skills : {};
});

function request(wish, { waits = true, ...members } = {}) {
  const skillId = skills[wish];
  return SendMessageRequest.fromJSON({
    message: {
      role: 'ROLE_USER',
      messageId: randomUUID(),
      parts: [skillId ? { data: { version: '1' } } : { text: wish }],
      ...(skillId && { metadata: { skillId } }),
      ...members,
    },
    configuration: { returnImmediately: !waits },
  });
}

/** A task or a message; of the SDK's objects, only messages have parts. */
const answer = (it) => ('parts' in it ? Message.toJSON(it) : Task.toJSON(it));
const send = async (wish, options) => answer(await client.sendMessage(request(wish, options)));
const get = async (id) => Task.toJSON(await client.getTask(GetTaskRequest.fromJSON({ id })));
const cancel = async (id) =>
  Task.toJSON(await client.cancelTask(CancelTaskRequest.fromJSON({ id })));

async function items(stream, onFirst = () => {}) {
  const all = [];
  for await (const item of stream) {
    all.push(StreamResponse.toJSON(item));
    if (all.length === 1) {
      await onFirst(all[0]);
    }
  }
  return all;
}

const done = await step('send', () => send('plan'));
await step('get', () => get(done.id));
await step('send: failed task', () => send('fail'));
await step('send: message', () => send('greet'));
const waiting = await step('send: without waiting', () => send('wait', { waits: false }));
await step('get: working task', () => get(waiting.id));
const left = await step('send: to be cancelled', () => send('wait', { waits: false }));
await step('cancel', () => cancel(left.id));
await step('get: cancelled task', () => get(left.id));
await step('list', async () => {
  const { tasks } = await client.listTasks(ListTasksRequest.fromJSON({ pageSize: 100 }));
  return transcript.seen(tasks.map(({ id }) => id));
});
await step('get: unknown task', () => get('none'));
await step('cancel: unknown task', () => cancel('none'));
await step('cancel: ended task', () => cancel(done.id));
await step('send: to an ended task', () => send('plan', { taskId: done.id }));
await step('send: to an unknown task', () => send('plan', { taskId: 'none' }));
await step('push', async () =>
  TaskPushNotificationConfig.toJSON(
    await client.createTaskPushNotificationConfig(
      TaskPushNotificationConfig.fromJSON({ taskId: done.id, id: 'p', url: 'http://127.0.0.1:1/' }),
    ),
  ),
);
const subscribe = (id, onFirst) =>
  items(client.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id })), onFirst);
await step('subscribe', () => subscribe(waiting.id, () => cancel(waiting.id)));
await step('subscribe: ended task', () => subscribe(done.id));
await step('subscribe: unknown task', () => subscribe('none'));
await step('stream', () => items(client.sendMessageStream(request('plan'))));
await step('stream: failed task', () => items(client.sendMessageStream(request('fail'))));
await step('stream: message', () => items(client.sendMessageStream(request('greet'))));
await step('stream: denied', () => items(client.sendMessageStream(request('deny'))));
await step('hang up', () => send('hang up'));

transcript.print();
