// A tree of tasks: drawn with its states and dependencies, each task a link to its call.

import {h, replace, s} from './dom.js';
import {code, count, counted, cut, duration, errorCode, plain, statusBadge, time} from './format.js';
import {refreshOn} from './refresh.js';
import {link, navigate} from './router.js';
import {call as ask, hasRole} from './rpc.js';
import {callTable} from './calls.js';
import {announce, busy, copyButton, dialog, facts, jsonBlock, page, table, textBlock} from './ui.js';

export const title = 'Tree of tasks';

const DRAWN_MAX = 400;
const LISTED = 100;
const BOX = {width: 208, height: 52, gapX: 20, gapY: 44};
const LABEL_CHARS = 24;
const STATES = ['pending', 'in_progress', 'completed', 'failed', 'cancelled'];
const TREE_EVENTS = ['TreeTaskCreated', 'TreeTaskUpdated', 'TreeTaskStarted', 'TreeTaskRetried', 'TreeTaskCompleted', 'TreeTaskFailed', 'TreeTaskCancelled',
  'TreeTaskDeleted', 'TreeTaskReopened', 'TreeTaskLinked', 'TreeTaskArchived', 'TreeExecutionStarted', 'TreeExecutionEnded'];

export async function show(main, {id, query, signal}) {
  const found = await busy(ask('audit.lookup', {id}, {signal, exact: true}));
  const tree = found.trees?.find(it => it.treeId === id) ?? found.trees?.[0];
  if (!tree) {
    await navigate('calls', {q: id}, {replace: true});
    return;
  }
  draw(main, tree, query, signal);
  if (!['completed', 'failed', 'cancelled'].includes(tree.status) || tree.execution) {
    followTree(main, tree, query, signal);
  }
}

function draw(main, tree, query, signal) {
  const {nodes, left} = arrange(tree);
  replace(main, page([tree.name ? code(tree.name, {max: 80}) : 'A tree of tasks', ending(tree)],
    lead(tree),
    h('div', {class: 'ledger is-wide'},
      h('div', {class: 'entries'},
        h('section', {class: 'entry'}, h('h2', null, 'Drawn'), h('div', {class: 'entry-body'}, drawing(tree, nodes, left))),
        h('section', {class: 'entry'}, h('h2', null, 'Tasks'), h('div', {class: 'entry-body'}, taskTable(nodes, tree, signal))),
        h('section', {class: 'entry'}, h('h2', null, 'About'), h('div', {class: 'entry-body'}, about(tree)))))));
}

function ending(tree) {
  return {pending: ' has not begun', in_progress: ' is running', completed: ' is completed', failed: ' failed', cancelled: ' was cancelled'}[tree.status] ?? '';
}

function lead(tree) {
  return h('p', {class: 'lead call-lead'},
    statusBadge(tree.status),
    h('span', null, counted(tree.taskCount, 'task'), ': ', STATES.filter(it => tree.counts[it] > 0).map(it => `${count(tree.counts[it])} ${it.replace('_', ' ')}`).join(', ')),
    h('span', null, 'of ', code(tree.owner, {max: 40})),
    time(tree.createdAt),
    tree.durationMillis !== null && h('span', null, 'took ', duration(tree.durationMillis)));
}

function about(tree) {
  return facts([
    ['tree', [code(tree.treeId), ' ', copyButton(tree.treeId, 'Copy the tree id')]],
    ['root task', tree.rootTaskId && code(tree.rootTaskId)],
    ['started', tree.startedAt && time(tree.startedAt)],
    ['ended', tree.endedAt && time(tree.endedAt)],
    ['last event', time(tree.lastEventAt)],
    tree.execution && ['execution', ['of ', code(tree.execution.taskId, {max: 80}), ' on ', code(tree.execution.node, {max: 60}), ' since ', time(tree.execution.startedAt)]],
    tree.webhook && ['webhook', [code(tree.webhook.url), ' ', statusBadge(tree.webhook.state), tree.webhook.attempt > 0 && ` in attempt ${tree.webhook.attempt}`, tree.webhook.status && ` with ${tree.webhook.status}`, tree.webhook.reason && [': ', code(tree.webhook.reason)]]],
  ]);
}

// ---------------------------------------------------------------- the drawing

/** The tasks in the order of a walk from the root: `{task, depth, x}`; at most so many are drawn. */
export function arrange(tree) {
  const ids = new Set(tree.tasks.map(task => task.taskId));
  const children = new Map();
  const roots = [];
  for (const task of tree.tasks) {
    if (task.parentId !== null && ids.has(task.parentId) && task.parentId !== task.taskId) {
      children.set(task.parentId, [...(children.get(task.parentId) ?? []), task]);
    } else {
      roots.push(task);
    }
  }
  const nodes = [];
  const byId = new Map();
  const next = roots.map(task => ({task, depth: 0, parent: null})).reverse();
  while (next.length > 0) {
    const node = next.pop();
    if (byId.has(node.task.taskId)) {
      continue;
    }
    nodes.push(node);
    byId.set(node.task.taskId, node);
    const below = children.get(node.task.taskId) ?? [];
    for (let i = below.length - 1; i >= 0; i--) {
      next.push({task: below[i], depth: node.depth + 1, parent: node});
    }
  }
  place(nodes.slice(0, DRAWN_MAX));
  return {nodes, byId, left: Math.max(0, nodes.length - DRAWN_MAX)};
}

/** Leaves stand side by side; a parent stands above the middle of its children. */
function place(nodes) {
  let x = 0;
  for (let i = nodes.length - 1; i >= 0; i--) {
    nodes[i].below = [];
  }
  for (const node of nodes) {
    node.parent?.below?.push(node);
  }
  for (const node of nodes) {
    if (node.below.length === 0) {
      node.x = x;
      x += 1;
    }
  }
  for (let i = nodes.length - 1; i >= 0; i--) {
    const {below} = nodes[i];
    if (below.length > 0) {
      nodes[i].x = (below[0].x + below[below.length - 1].x) / 2;
    }
  }
}

function drawing(tree, nodes, left) {
  const drawn = nodes.slice(0, DRAWN_MAX);
  const at = new Map(drawn.map(node => [node.task.taskId, node]));
  const width = (Math.max(...drawn.map(node => node.x)) + 1) * (BOX.width + BOX.gapX) - BOX.gapX + 4;
  const height = (Math.max(...drawn.map(node => node.depth)) + 1) * (BOX.height + BOX.gapY) - BOX.gapY + 4;
  const svg = s('svg', {width, height, viewBox: `-2 -2 ${width} ${height}`, class: 'tree', role: 'group', 'aria-label': 'The tree, drawn; the table below has the same'},
    s('defs', null, s('marker', {id: 'arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse'}, s('path', {d: 'M0 1 L7 4 L0 7', class: 'arrow'}))),
    drawn.filter(node => node.parent && at.has(node.parent.task.taskId)).map(node => s('path', {class: 'edge', d: edge(node.parent, node)})),
    drawn.flatMap(node => node.task.dependencies
      .filter(it => at.has(it.id))
      .map(it => s('path', {class: `dependency${it.required ? '' : ' is-optional'}`, d: arc(at.get(it.id), node), 'marker-end': 'url(#arrow)'}))),
    drawn.map(box));
  return [
    h('div', {class: 'tree-region', tabIndex: 0, role: 'region', 'aria-label': 'Drawing of the tree'}, svg),
    h('p', {class: 'muted legend'}, h('span', {class: 'key-edge'}), ' below  ', h('span', {class: 'key-dependency'}), ' waits for, dotted where it is optional'),
    left > 0 && h('p', {class: 'muted'}, `${counted(left, 'more task')} not drawn; the table has them.`),
  ];
}

function left(node) {
  return node.x * (BOX.width + BOX.gapX);
}

function top(node) {
  return node.depth * (BOX.height + BOX.gapY);
}

function edge(parent, child) {
  const x1 = left(parent) + BOX.width / 2;
  const y1 = top(parent) + BOX.height;
  const x2 = left(child) + BOX.width / 2;
  const y2 = top(child);
  const middle = (y1 + y2) / 2;
  return x1 === x2 ? `M${x1} ${y1} V${y2}` : `M${x1} ${y1} V${middle} H${x2} V${y2}`;
}

/** From the task that comes first to the one that waits for it. */
function arc(before, after) {
  const isLeft = left(before) <= left(after);
  const x1 = left(before) + (isLeft ? BOX.width : 0);
  const y1 = top(before) + BOX.height / 2;
  const x2 = left(after) + (isLeft ? 0 : BOX.width);
  const y2 = top(after) + BOX.height / 2;
  if (before.depth === after.depth && Math.abs(before.x - after.x) === 1) {
    return `M${x1} ${y1} H${x2}`;
  }
  if (before.depth === after.depth) {
    const y = top(before) + BOX.height;
    const [from, to] = [left(before) + BOX.width * 0.7, left(after) + BOX.width * 0.3];
    return `M${from} ${y} C${from} ${y + BOX.gapY * 0.7} ${to} ${y + BOX.gapY * 0.7} ${to} ${y}`;
  }
  const bend = isLeft ? 40 : -40;
  return `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

function box(node) {
  const {task} = node;
  const state = stateOf(task);
  const label = plain(cut(task.name, LABEL_CHARS));
  const content = [
    s('title', null, plain(cut(`${task.name}: ${state.replace('_', ' ')}${task.error ? `, ${task.error}` : ''}`, 500))),
    s('rect', {width: BOX.width, height: BOX.height, rx: 3, class: 'box'}),
    s('rect', {width: 4, height: BOX.height, rx: 1, class: 'edge-state'}),
    s('text', {x: 14, y: 21, class: 'box-name'}, label),
    s('text', {x: 14, y: 40, class: 'box-state'},
      [state.replace('_', ' '), task.executor ? plain(cut(task.executor, 16)) : null, task.durationMillis === null ? null : duration(task.durationMillis)].filter(Boolean).join(' · ')),
  ];
  const transform = `translate(${left(node)} ${top(node)})`;
  const call = callOf(task);
  if (!call) {
    return s('g', {transform, class: `task is-${state}`}, content);
  }
  const anchor = s('a', {transform, class: `task is-${state}`, href: `/console/call/${encodeURIComponent(call)}`, 'aria-label': `${label}: ${state.replace('_', ' ')}, its call`}, content);
  anchor.addEventListener('click', event => {
    if (event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      navigate(['call', call]);
    }
  });
  return anchor;
}

function stateOf(task) {
  return task.deletedAt ? 'deleted' : task.status;
}

/** The call that ended the task, else the last one that ran it. */
function callOf(task) {
  return task.callId ?? task.calls[0]?.callId ?? null;
}

// ---------------------------------------------------------------- the table

function taskTable(nodes, tree, signal) {
  let shown = Math.min(LISTED, nodes.length);
  const names = new Map(tree.tasks.map(task => [task.taskId, task.name]));
  return table([
    {label: 'task', isHeader: true, class: 'clip-cell', cell: ({task, depth}) => h('span', {class: 'task-name', style: {'padding-inline-start': `${Math.min(depth, 12) * 1.1}rem`}},
      h('button', {type: 'button', class: 'link', 'data-key': `task-${task.taskId}`, onclick: () => showTask(task, names)}, code(task.name, {max: 60})))},
    {label: 'state', cell: ({task}) => statusBadge(stateOf(task))},
    {label: 'took', numeric: true, cell: ({task}) => duration(task.durationMillis)},
    {label: 'attempt', numeric: true, cell: ({task}) => task.attempt || '–'},
    {label: 'executor', class: 'clip-cell', cell: ({task}) => code(task.executor, {max: 40})},
    {label: 'waits for', class: 'clip-cell', cell: ({task}) => task.dependencies.length === 0
      ? h('span', {class: 'none'}, '–')
      : task.dependencies.slice(0, 4).map((it, i) => [i > 0 && ', ', code(names.get(it.id) ?? it.id, {max: 24})])},
    {label: 'call', cell: ({task}) => callOf(task) ? link(['call', callOf(task)], {}, `${callOf(task).slice(0, 8)}…${callOf(task).slice(-4)}`) : h('span', {class: 'none'}, '–')},
    {label: 'error', class: 'clip-cell', cell: ({task}) => task.error || task.code !== null ? h('span', {class: 'bad'}, task.code !== null && [errorCode(task.code), ' '], task.error && plain(cut(task.error, 120))) : h('span', {class: 'none'}, '–')},
  ], nodes.slice(0, shown), {
    caption: 'The tasks, each below its parent',
    rowKey: ({task}) => task.taskId,
    more: shown < nodes.length,
    onMore: async () => {
      signal.throwIfAborted();
      const rows = nodes.slice(shown, shown + LISTED);
      shown += rows.length;
      return {rows, more: shown < nodes.length};
    },
  });
}

function showTask(task, names) {
  dialog(plain(cut(task.name, 80)), [
    facts([
      ['task', [code(task.taskId), ' ', copyButton(task.taskId, 'Copy the task id')]],
      ['state', statusBadge(stateOf(task))],
      ['executor', task.executor && code(task.executor)],
      ['priority', String(task.priority)],
      task.dependencies.length > 0 && ['waits for', task.dependencies.map((it, i) => [i > 0 && ', ', code(names.get(it.id) ?? it.id, {max: 60}), it.required ? '' : ' (optional)'])],
      ['origin', task.origin && code(task.origin)],
      ['created', time(task.createdAt)],
      task.startedAt && ['started', time(task.startedAt)],
      task.endedAt && ['ended', [time(task.endedAt), task.durationMillis !== null && `, after ${duration(task.durationMillis)}`]],
      task.deletedAt && ['deleted', time(task.deletedAt)],
      (task.error || task.code !== null) && ['error', [errorCode(task.code), ' ', task.error && code(task.error)]],
    ]),
    content('Inputs', task.inputs),
    content('Result', task.result),
    !hasRole('arguments') && h('p', {class: 'note'}, 'Inputs and results are shown to operators with the role ', h('code', null, 'arguments'), '.'),
    task.calls.length > 0 && [h('h3', null, 'The calls that ran it'), callTable(task.calls, 'Calls that ran the task, newest first')],
  ]).element.addEventListener('click', event => {
    if (event.target.closest('a[href]')) {
      event.currentTarget.close();
    }
  });
}

function content(label, kept) {
  if (!kept) {
    return null;
  }
  return h('div', {class: 'content'}, h('h3', null, label),
    kept.redacted !== undefined ? jsonBlock(kept.redacted, label)
      : kept.beginning !== undefined ? textBlock(kept.beginning, `${label}, the beginning`)
        : h('p', {class: 'muted'}, `${count(kept.sizeBytes)} bytes, not kept`));
}

// ---------------------------------------------------------------- trees that have not ended

function followTree(main, tree, query, signal) {
  refreshOn({
    names: TREE_EVENTS,
    concerns: events => events.some(event => event.data?.treeId === tree.treeId),
    signal,
    refresh: async () => {
      const found = await ask('audit.lookup', {id: tree.treeId}, {signal, exact: true}).catch(() => null);
      const now = found?.trees?.find(it => it.treeId === tree.treeId);
      if (!now || signal.aborted || document.querySelector('dialog[open]')) {
        return; // the next event asks again
      }
      draw(main, now, query, signal);
      if (now.status !== tree.status) {
        announce(`The tree is ${now.status.replace('_', ' ')} now.`);
      }
      Object.assign(tree, now);
    },
  });
}
