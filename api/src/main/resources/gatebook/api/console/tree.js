// A tree of tasks: drawn with its states and dependencies, each task a link to its call.

import {address, link, navigate} from './address.js';
import {h, replace, s} from './dom.js';
import {code, count, counted, cut, duration, errorCode, plain, statusBadge, time} from './format.js';
import {refreshOn} from './refresh.js';
import {call as ask, hasRole} from './rpc.js';
import {callTable} from './calls.js';
import {announce, busy, copyButton, dialog, facts, jsonBlock, page, table, textBlock} from './ui.js';

export const title = 'Tree of tasks';

const DRAWN_MAX = 400;
const LISTED = 100;
const ROW = 34;
const BOX_HEIGHT = 26;
const INDENT = 26;
const INDENTS_MAX = 24;
const TEXT_WIDTH = {least: 230, most: 430, beside: 70};
const DEPTHS_SHOWN = 12;
const CHAR_WIDTH = 7.2;
const ARC = {least: 16, each: 9, most: 150};
const STATES = ['pending', 'in_progress', 'completed', 'failed', 'cancelled'];
const TREE_EVENTS = ['TreeTaskCreated', 'TreeTaskUpdated', 'TreeTaskStarted', 'TreeTaskRetried', 'TreeTaskCompleted',
  'TreeTaskFailed', 'TreeTaskCancelled',
  'TreeTaskDeleted', 'TreeTaskReopened', 'TreeTaskLinked', 'TreeTaskArchived', 'TreeExecutionStarted',
    'TreeExecutionEnded'];

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
  const nodes = arrange(tree);
  replace(main, page([tree.name ? code(tree.name, {max: 80}) : 'A tree of tasks', ending(tree)],
    lead(tree),
    h('div', {class: 'ledger is-wide'},
      h('div', {class: 'entries'},
        h('section', {class: 'entry'}, h('h2', null, 'Drawn'), h('div', {class: 'entry-body'}, drawing(nodes))),
        h('section', {class: 'entry'}, h('h2', null, 'Tasks'),
          h('div', {class: 'entry-body'}, taskTable(nodes, tree, signal))),
        h('section', {class: 'entry'}, h('h2', null, 'About'), h('div', {class: 'entry-body'}, about(tree)))))));
}

function ending(tree) {
  return {pending: ' has not begun', in_progress: ' is running', completed: ' is completed', failed: ' failed',
    cancelled: ' was cancelled'}[tree.status] ?? '';
}

function lead(tree) {
  return h('p', {class: 'lead call-lead'},
    statusBadge(tree.status),
    h('span', null, counted(tree.taskCount, 'task'), ': ',
      STATES.filter(it => tree.counts[it] > 0).map(it => `${count(tree.counts[it])} ${it.replace('_', ' ')}`).join(', ')),
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
    tree.execution && ['execution',
      ['of ', code(tree.execution.taskId, {max: 80}), ' on ', code(tree.execution.node, {max: 60}), ' since ',
        time(tree.execution.startedAt)]],
    tree.webhook && ['webhook', [code(tree.webhook.url), ' ', statusBadge(tree.webhook.state),
      tree.webhook.attempt > 0 && ` in attempt ${tree.webhook.attempt}`,
        tree.webhook.status && ` with ${tree.webhook.status}`,
          tree.webhook.reason && [': ', code(tree.webhook.reason)]]],
  ]);
}

// ---------------------------------------------------------------- the drawing

/** The tasks in the order of a walk from the root, each with how deep it is: `{task, depth, parent}`. */
export function arrange(tree) {
  const ids = new Set(tree.tasks.map(task => task.taskId));
  const children = new Map(tree.tasks.map(task => [task.taskId, []]));
  const roots = [];
  for (const task of tree.tasks) {
    (ids.has(task.parentId) ? children.get(task.parentId) : roots).push(task);
  }
  const nodes = [];
  const seen = new Set();
  const next = roots.map(task => ({task, depth: 0, parent: null})).reverse();
  while (next.length > 0) {
    const node = next.pop();
    if (!seen.has(node.task.taskId)) {
      seen.add(node.task.taskId);
      node.row = nodes.length;
      nodes.push(node);
      next.push(...children.get(node.task.taskId).map(task => ({task, depth: node.depth + 1,
        parent: node})).reverse());
    }
  }
  return nodes;
}

/**
 * An outline: a line for each task below its parent, and an arc on the right from each task to those
 * that wait for it.
 */
function drawing(nodes) {
  const drawn = nodes.slice(0, DRAWN_MAX);
  const at = new Map(drawn.map(node => [node.task.taskId, node]));
  const deepest = Math.max(...drawn.map(left));
  const room = document.documentElement.clientWidth - deepest - TEXT_WIDTH.beside;
  const right = deepest + Math.min(TEXT_WIDTH.most, Math.max(TEXT_WIDTH.least, room));
  const arcs = drawn.flatMap(node => node.task.dependencies
    .filter(it => at.has(it.id))
    .map(it => ({before: at.get(it.id), after: node, isOptional: !it.required})));
  const width = right + Math.max(8, ...arcs.map(bulge)) + 4;
  const height = drawn.length * ROW + 2;
  const svg = s('svg', {width, height, viewBox: `-2 -1 ${width} ${height}`, class: 'tree', role: 'group',
    'aria-label': 'The tree, drawn; the table below has the same'},
    s('defs', null, s('marker',
      {id: 'arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 8, markerHeight: 8,
        markerUnits: 'userSpaceOnUse', orient: 'auto'},
      s('path', {d: 'M0 0.5 L7 4 L0 7.5', class: 'arrow'}))),
    drawn.filter(node => node.parent).map(node => s('path', {class: 'edge', d: edge(node)})),
    drawn.map(node => box(node, right)),
    arcs.map(arc => s('path', {class: `dependency${arc.isOptional ? ' is-optional' : ''}`, d: curve(arc, right),
      'marker-end': 'url(#arrow)'},
      s('title', null,
        plain(cut(`${arc.after.task.name} waits for ${arc.before.task.name}${arc.isOptional ? ', optionally' : ''}`,
          300))))));
  return [
    h('div', {class: 'tree-region', tabIndex: 0, role: 'region', 'aria-label': 'Drawing of the tree'}, svg),
    arcs.length > 0 && h('p', {class: 'muted legend'}, 'An arc leads to the task that waits',
      arcs.some(it => it.isOptional) ? '; dashed where the wait is optional.' : '.'),
    nodes.length > drawn.length && h('p', {class: 'muted'},
      `${counted(nodes.length - drawn.length, 'more task')} not drawn; the table has them.`),
  ];
}

function left(node) {
  return Math.min(node.depth, INDENTS_MAX) * INDENT;
}

function middle(node) {
  return node.row * ROW + ROW / 2;
}

/** From below the beginning of the parent to the left of the task. */
function edge(node) {
  const x = left(node.parent) + INDENT / 2;
  return `M${x} ${middle(node.parent) + BOX_HEIGHT / 2} V${middle(node)} H${left(node)}`;
}

function bulge({before, after}) {
  return Math.min(ARC.most, ARC.least + ARC.each * Math.abs(before.row - after.row));
}

/** It begins a little below the middle and ends a little above, so that both ends can be told apart. */
function curve(arc, right) {
  const from = middle(arc.before) + (arc.before.row < arc.after.row ? 5 : -5);
  const to = middle(arc.after) + (arc.before.row < arc.after.row ? -5 : 5);
  const out = right + bulge(arc) * 1.33;
  return `M${right + 1} ${from} C${out} ${from} ${out} ${to} ${right + 3} ${to}`;
}

function box(node, right) {
  const {task} = node;
  const state = stateOf(task);
  const x = left(node);
  const isNarrow = right - x < TEXT_WIDTH.most - INDENT * 4;
  const details = [state.replace('_', ' '), task.executor && !isNarrow ? plain(cut(task.executor, 18)) : null,
    task.durationMillis === null || isNarrow ? null : duration(task.durationMillis)]
    .filter(Boolean).join(' \u00b7 ');
  const room = Math.floor((right - x - 24 - details.length * CHAR_WIDTH * 0.9) / CHAR_WIDTH);
  const label = plain(cut(task.name, Math.max(8, room)));
  const content = [
    s('title', null,
      plain(cut(`${task.name}: ${state.replace('_', ' ')}${task.error ? `, ${task.error}` : ''}`, 500))),
    s('rect', {x, y: middle(node) - BOX_HEIGHT / 2, width: right - x, height: BOX_HEIGHT, rx: 2, class: 'box'}),
    mark(state, x + 13, middle(node)),
    s('text', {x: x + 25, y: middle(node) + 4.5, class: 'box-name'}, label),
    s('text', {x: right - 9, y: middle(node) + 4.5, class: 'box-state', 'text-anchor': 'end'}, details),
  ];
  const call = callOf(task);
  if (!call) {
    return s('g', {class: `task is-${state}`}, content);
  }
  const anchor = s('a', {class: `task is-${state}`, href: address(['call', call])}, content);
  anchor.addEventListener('click', event => {
    if (event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      navigate(['call', call]);
    }
  });
  return anchor;
}

/** The mark of a state, which its form tells without colour. */
function mark(state, x, y) {
  switch (state) {
    case 'completed': return s('circle', {cx: x, cy: y, r: 4.5, class: 'mark'});
    case 'failed': return s('path', {d: `M${x} ${y - 5} L${x + 5} ${y + 4} H${x - 5} Z`, class: 'mark'});
    default: return s('circle', {cx: x, cy: y, r: 4, class: 'mark is-hollow'});
  }
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
  const isRetried = tree.tasks.some(task => task.attempt > 1);
  return table([
    {label: 'task', isHeader: true, class: 'clip-cell',
      cell: ({task, depth}) => h('span', {class: 'task-name', style: {'--depth': Math.min(depth, DEPTHS_SHOWN)}},
      h('button', {type: 'button', class: 'link', 'data-key': `task-${task.taskId}`,
        onclick: () => showTask(task, names)}, code(task.name, {max: 60})))},
    {label: 'state', cell: ({task}) => statusBadge(stateOf(task))},
    {label: 'took', numeric: true, cell: ({task}) => duration(task.durationMillis)},
    isRetried && {label: 'attempt', numeric: true, cell: ({task}) => task.attempt || h('span', {class: 'none'}, '–')},
    {label: 'executor', class: 'clip-cell', cell: ({task}) => code(task.executor, {max: 40})},
    {label: 'waits for', class: 'clip-cell', cell: ({task}) => task.dependencies.length === 0
      ? h('span', {class: 'none'}, '–')
      : task.dependencies.slice(0, 4).map((it, i) => [i > 0 && ', ', code(names.get(it.id) ?? it.id, {max: 24})])},
    {label: 'call', class: 'nowrap', cell: ({task}) => callOf(task) ? link(['call', callOf(task)], {},
      `${callOf(task).slice(0, 8)}…${callOf(task).slice(-4)}`) : h('span', {class: 'none'}, '–')},
    {label: 'error', class: 'wrap-cell', cell: ({task}) => task.error || task.code !== null ? h('span',
      {class: 'bad'}, task.code !== null && [errorCode(task.code), ' '], task.error && plain(cut(task.error, 120)))
        : h('span', {class: 'none'}, '–')},
  ].filter(Boolean), nodes.slice(0, shown), {
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
      task.dependencies.length > 0 && ['waits for',
        task.dependencies.map((it, i) => [i > 0 && ', ', code(names.get(it.id) ?? it.id, {max: 60}),
          it.required ? '' : ' (optional)'])],
      ['origin', task.origin && code(task.origin)],
      ['created', time(task.createdAt)],
      task.startedAt && ['started', time(task.startedAt)],
      task.endedAt && ['ended', [time(task.endedAt), task.durationMillis !== null
        && `, after ${duration(task.durationMillis)}`]],
      task.deletedAt && ['deleted', time(task.deletedAt)],
      (task.error || task.code !== null) && ['error', [errorCode(task.code), ' ', task.error && code(task.error)]],
    ]),
    content('Inputs', task.inputs),
    content('Result', task.result),
    !hasRole('arguments') && h('p', {class: 'note'}, 'Inputs and results are shown to operators with the role ',
      h('code', null, 'arguments'), '.'),
    task.calls.length > 0 && [h('h3', null, 'The calls that ran it'),
      callTable(task.calls, 'Calls that ran the task, newest first')],
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
