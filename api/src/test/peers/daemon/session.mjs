// A session of VS Code's JSON-RPC client with a daemon; says line by line what came of it.
// node session.mjs COMMAND...
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';

const [command, ...args] = process.argv.slice(2);
const daemon = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const exit = once(daemon, 'exit');
const connection = createMessageConnection(
  new StreamMessageReader(daemon.stdout),
  new StreamMessageWriter(daemon.stdin),
);
connection.onError(([error]) => say('connection error', error.message));
connection.listen();

const say = (name, value) => console.log(`${name}: ${value}`);
const echo = async (args) =>
  (await connection.sendRequest('tools/call', { name: 'echo', arguments: args })).structuredContent;

say('success', (await connection.sendRequest('initialize', { processId: process.pid })).serverInfo.name);

say('error', await connection.sendRequest('tools/call', { name: 'delete_all', arguments: {} }).then(
  () => 'none',
  (error) => error.code,
));
say('data', await connection.sendRequest('setLogLevel', { level: 'loud' }).then(
  () => 'none',
  (error) => error.data.accepted.join(),
));

await connection.sendNotification('setLogLevel', { level: 'error' });

const text = 'né 😀 "quoted" \n line';
say('non-ASCII', (await echo({ text })).text === text);

const large = 'é'.repeat(300_000);
say('large', (await echo({ text: large })).text === large);

const numbers = [...Array(100).keys()];
const pipelined = await Promise.all(numbers.map((number) => echo({ number })));
say('pipelined', pipelined.every((answer, index) => answer.number === index));

say('shutdown', (await connection.sendRequest('shutdown')).message);
const [code] = await exit;
say('exit', code);
connection.dispose();
