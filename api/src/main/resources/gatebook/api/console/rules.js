// The rules: those in force, how they came to be, whom a change affected, and a candidate checked.

import {link, navigate} from './address.js';
import {beginWithRulesInForce} from './candidate.js';
import {changedPart, diff, hunks, linesOf} from './diff.js';
import {append, h, replace} from './dom.js';
import {ago, code, count, counted, duration, localText, plain, shortId, shortText, time} from './format.js';
import {millisOf} from './buckets.js';
import {LIMIT} from './counting.js';
import {call, hasRole} from './rpc.js';
import {refreshOn} from './refresh.js';
import {busy, copyButton, droppedNote, empty, facts, page, problem, table} from './ui.js';

export const title = 'Rules';

const VIEWS = [['', 'In force'], ['history', 'History'], ['check', 'Check a candidate']];
const PAGE = 50;
const SPANS = [['1h', 3_600_000, '1 hour'], ['24h', 86_400_000, '24 hours'], ['7d', 7 * 86_400_000, '7 days']];

export async function show(main, {query, signal}) {
  if (!hasRole('admin')) {
    replace(main, page('Rules', empty('The rules are shown to admins.', 'Your operator lacks the role admin.')));
    return;
  }
  const view = VIEWS.some(([name]) => name === query.view) || query.view === 'change' ? query.view : '';
  const place = h('div');
  const content = page('Rules',
    h('nav', {class: 'views', 'aria-label': 'Rules'}, VIEWS.map(([name, label]) =>
      link('rules', {view: name}, {'aria-current': (view === 'change' ? 'history' : view ?? '') === name ? 'page' : null}, label))),
    place);
  await busy(fill(view, place, query, signal));
  if (signal.aborted) {
    return;
  }
  replace(main, content);
  if (hasRole('view') && (!view || view === 'history')) {
    refreshOn({
      names: ['RulesActivated', 'RulesRejected'],
      refresh: () => fill(view, place, query, signal).catch(() => {}),
      signal,
    });
  }
}

async function fill(view, place, query, signal) {
  switch (view) {
    case 'history': return showHistory(place, signal);
    case 'change': return showChange(place, query, signal);
    case 'check': return showCheck(place, signal);
    default: return showInForce(place, signal);
  }
}

/* The rules in force */

async function showInForce(place, signal) {
  const rules = await call('rules.show', {}, {signal});
  if (!rules.inForce) {
    replace(place, empty('No rules are in force.', 'Governed calls get an error until the rules file has no mistakes.',
      link('rules', {view: 'check'}, 'Check a candidate')));
    return;
  }
  const {policies, schema} = await call('rules.text', {hash: rules.hash}, {signal});
  replace(place,
    facts([
      ['Since', [time(rules.activatedAt), h('span', {class: 'muted'}, ` ${ago(rules.activatedAt)}`)]],
      ['File', code(rules.file)],
      ['Hash', [code(rules.hash), ' ', copyButton(rules.hash, 'Copy the hash')]],
      ['Warnings', rules.warnings.length === 0 ? 'none' : null],
    ]),
    rules.warnings.length > 0 && section('Warnings', remarks(rules.warnings, 'warning')),
    section(fileName(rules), listing(rules.text, `Text of ${rules.file}`)),
    policies.map(policy => section(plain(policy.name), listing(policy.text, `Text of ${policy.name}`))),
    schema && section('Schema', listing(schema, 'The schema')));
}

function section(heading, ...children) {
  return h('section', {class: 'section'}, h('h2', null, heading), children);
}

/** A text with numbered lines. Marks are `{line, column, message, kind}`, shown below their lines. */
function listing(text, label, marks = []) {
  const lines = linesOf(text);
  const digits = String(lines.length).length;
  const pre = h('ol', {class: 'listing', style: {'--digits': String(digits)}});
  append(pre, lines.map((line, index) => {
    const here = marks.filter(it => Math.min(it.line ?? 1, Math.max(1, lines.length)) === index + 1);
    return h('li', {class: here.length > 0 ? `is-${here[0].kind}` : null},
      here.length > 0 ? marked(line, here) : shownLine(line),
      here.map(it => h('span', {class: `remark is-${it.kind}`},
        h('span', {class: 'sr'}, `line ${it.line ?? 1}${it.column ? `, column ${it.column}` : ''}: `), plain(it.message))));
  }));
  return h('div', {class: 'block listing-block'},
    h('div', {class: 'listing-region', tabIndex: 0, role: 'region', 'aria-label': plain(label)}, pre),
    copyButton(text, `Copy: ${plain(label)}`));
}

function shownLine(line) {
  return h('span', {class: 'line'}, line === '' ? '\u200b' : revealedLine(line));
}

/** A line in which the character at each mark's column is marked. */
function marked(line, marks) {
  const columns = [...new Set(marks.map(it => it.column).filter(it => it && it <= line.length))].sort((a, b) => a - b);
  const parts = [];
  let from = 0;
  for (const column of columns) {
    const end = wordEnd(line, column - 1);
    if (column - 1 >= from) {
      parts.push(revealedLine(line.slice(from, column - 1)), h('mark', null, revealedLine(line.slice(column - 1, end))));
      from = end;
    }
  }
  return h('span', {class: 'line'}, parts, revealedLine(line.slice(from)) || '\u200b');
}

function wordEnd(line, from) {
  const length = /^[\w.*-]+/.exec(line.slice(from))?.[0].length ?? 1;
  return from + Math.max(1, length);
}

/** A tab is seen as what it is. */
function revealedLine(text) {
  return text.split('\t').map(part => (part === '' ? '' : plain(part))).join('\t');
}

/** Mistakes or warnings with their places; `actionOf(remark)` may make the place a button. */
function remarks(list, kind, actionOf = () => null) {
  return h('ul', {class: 'remarks'}, list.map(it => {
    const place = it.line ? placeOf(it) : fileName(it);
    const onclick = it.line ? actionOf(it) : null;
    const whole = plain(it.file);
    return h('li', {class: `is-${kind}`},
      onclick
        ? h('button', {type: 'button', class: 'link', title: whole, onclick}, place)
        : h('span', {class: 'muted num', title: whole}, place),
      ' ', plain(it.message));
  }));
}

function placeOf({file, line, column}) {
  return `${fileName({file})}, line ${line}${column ? `, column ${column}` : ''}`;
}

function fileName({file}) {
  return plain(String(file).replace(/^.*[/\\]/, ''));
}

/* History */

async function showHistory(place, signal) {
  const first = await call('rules.history', {limit: PAGE}, {signal});
  const {activations, rejections} = first;
  let {cursor} = first;
  if (activations.length === 0 && rejections.length === 0) {
    replace(place, empty('No rules were activated yet.', 'Each change of the rules file is recorded and listed here.'));
    return;
  }
  const rows = merged(activations, rejections);
  const onMore = async () => {
    const next = await call('rules.history', {limit: PAGE, cursor}, {signal});
    cursor = next.cursor;
    return {rows: merged(next.activations, next.rejections), more: Boolean(cursor)};
  };
  replace(place, droppedNote(first), table([
    {label: 'At', isHeader: true, cell: row => time(row.at)},
    {label: 'What', cell: row => (row.mistakes
      ? h('span', {class: 'status is-bad'}, 'rejected')
      : h('span', {class: 'status is-ok'}, 'activated'))},
    {label: 'Rules', cell: row => (row.mistakes ? h('span', {class: 'none'}, '–') : shortId(row.hash))},
    {label: 'Node', class: 'clip-cell', cell: row => code(row.node, {max: 40})},
    {label: 'Position', numeric: true, cell: row => count(row.position)},
    {label: 'More', cell: row => (row.mistakes
      ? h('details', null, h('summary', null, counted(row.mistakes.length, 'mistake')), remarks(row.mistakes, 'bad'))
      : link('rules', {view: 'change', at: row.position}, 'what changed, and for whom'))},
  ], rows, {caption: 'Changes of the rules, newest first', rowKey: row => row.position, onMore: cursor ? onMore : undefined}));
}

function merged(activations, rejections) {
  return [...activations, ...rejections].sort((a, b) => b.position - a.position);
}

/* One change: the difference, and the denials before and after */

async function showChange(place, query, signal) {
  const activations = await allActivations(signal);
  const index = query.at ? activations.findIndex(it => String(it.position) === query.at) : 0;
  const change = activations[index];
  if (!change) {
    replace(place, empty('There is no such change.', link('rules', {view: 'history'}, 'See all changes')));
    return;
  }
  const earlier = activations.slice(index + 1);
  const against = earlier.find(it => String(it.position) === query.against) ?? earlier[0] ?? null;
  const difference = h('div');
  const affected = h('div');
  replace(place,
    facts([
      ['Activated', [time(change.at), h('span', {class: 'muted'}, ` ${ago(change.at)}`)]],
      ['Rules', [code(change.hash), ' ', copyButton(change.hash, 'Copy the hash')]],
      ['Node', code(change.node)],
      ['Position', count(change.position)],
    ]),
    h('section', {class: 'section'},
      h('div', {class: 'section-head'}, h('h2', null, 'What changed'), against && chooser(query, change, earlier, against)),
      difference),
    h('section', {class: 'section'}, h('h2', null, 'Whom it affected'), affected));
  await Promise.all([
    showDifference(difference, against, change, signal).catch(error => signal.aborted || replace(difference, problem(error))),
    showAffected(affected, {change, next: activations[index - 1] ?? null, before: earlier[0] ?? null, query}, signal)
      .catch(error => signal.aborted || replace(affected, problem(error))),
  ]);
}

/** The newest activations, at most as many as the node lists at a time. */
async function allActivations(signal) {
  return (await call('rules.history', {limit: LIMIT}, {signal})).activations;
}

function chooser(query, change, earlier, against) {
  const select = h('select', {
    'data-key': 'against',
    'aria-label': 'Compared with',
    onchange: () => navigate('rules', {...query, at: change.position, against: select.value}, {replace: true}),
  }, earlier.slice(0, 200).map(it => h('option', {value: it.position, selected: it === against},
    `${localText(it.at)} · ${shortText(it.hash)}`)));
  return h('span', null, h('span', {class: 'muted'}, 'compared with '), select);
}

async function showDifference(place, before, after, signal) {
  if (!before) {
    replace(place, h('p', null, 'These are the first rules of this journal. '), link('rules', {view: ''}, 'See the rules in force'));
    return;
  }
  if (before.hash === after.hash) {
    replace(place, h('p', null, 'The text is the same: the node took the same rules again.'));
    return;
  }
  const [one, other] = await Promise.all([before, after].map(it => call('rules.text', {hash: it.hash}, {signal})));
  const pairs = pairsOf(filesOf(one), filesOf(other));
  const same = pairs.filter(it => it.before === it.after);
  const changed = pairs.filter(it => it.before !== it.after);
  replace(place,
    changed.length === 0 && h('p', null, 'The recorded texts are the same: only secrets, which are not recorded, can have changed.'),
    changed.map(it => fileDifference(it)),
    same.length > 0 && changed.length > 0 && h('p', {class: 'muted'}, 'Unchanged: ', same.map((it, at) => [at > 0 && ', ', code(it.name)])));
}

function filesOf({text, policies, schema}) {
  return new Map([['rules', text], ...policies.map(it => [it.name, it.text]), ...(schema ? [['schema', schema]] : [])]);
}

function pairsOf(before, after) {
  return [...new Set([...before.keys(), ...after.keys()])].map(name => ({
    name,
    before: before.get(name) ?? null,
    after: after.get(name) ?? null,
  }));
}

function fileDifference({name, before, after}) {
  const {lines, added, removed, isExact} = diff(before ?? '', after ?? '');
  const what = before === null ? 'new' : after === null ? 'no longer there' : `${counted(added, 'line')} added, ${counted(removed, 'line')} removed`;
  const body = h('tbody');
  for (const part of hunks(lines)) {
    append(body, part.lines ? differenceRows(part.lines) : skippedRow(body, part.skipped));
  }
  return h('div', {class: 'difference'},
    h('h3', null, code(name), ' ', h('span', {class: 'muted'}, what)),
    !isExact && h('p', {class: 'note'}, 'The texts differ in too many lines to match them one by one.'),
    h('div', {class: 'difference-region', tabIndex: 0, role: 'region', 'aria-label': `Difference of ${plain(name)}`},
      h('table', {class: 'difference-table'},
        h('caption', {class: 'sr'}, `Difference of ${plain(name)}: ${what}`),
        h('thead', {class: 'sr'}, h('tr', null, ['Line before', 'Line after', 'Change', 'Text'].map(it => h('th', {scope: 'col'}, it)))),
        body)));
}

function skippedRow(body, skipped) {
  const row = h('tr', {class: 'is-skipped'}, h('td', {colspan: 4},
    h('button', {type: 'button', class: 'link', onclick: () => row.replaceWith(...differenceRows(skipped))},
      `${counted(skipped.length, 'line')} the same`)));
  return row;
}

/** Rows; where as many lines were removed as added, the part that changed is marked in each. */
function differenceRows(lines) {
  const rows = [];
  for (let at = 0; at < lines.length;) {
    const removed = run(lines, at, 'removed');
    const added = run(lines, at + removed.length, 'added');
    if (removed.length === added.length && removed.length > 0) {
      const parts = removed.map((it, index) => changedPart(it.text, added[index].text));
      rows.push(
        ...removed.map((it, index) => differenceRow(it, [parts[index][0], parts[index][1]])),
        ...added.map((it, index) => differenceRow(it, [parts[index][0], parts[index][2]])));
      at += 2 * removed.length;
    } else {
      rows.push(differenceRow(lines[at], null));
      at++;
    }
  }
  return rows;
}

function run(lines, from, kind) {
  let end = from;
  while (lines[end]?.kind === kind) {
    end++;
  }
  return lines.slice(from, end);
}

const SIGNS = {same: ['', 'same'], removed: ['−', 'removed'], added: ['+', 'added']};

function differenceRow({kind, text, before, after}, part) {
  const [sign, word] = SIGNS[kind];
  const isPart = part && part[0] < part[1] && part[1] - part[0] < text.length;
  const content = isPart
    ? [revealedLine(text.slice(0, part[0])), h('mark', null, revealedLine(text.slice(part[0], part[1]))), revealedLine(text.slice(part[1]))]
    : revealedLine(text);
  return h('tr', {class: `is-${kind}`},
    h('td', {class: 'line-number'}, before ?? ''),
    h('td', {class: 'line-number'}, after ?? ''),
    h('td', {class: 'sign'}, h('span', {'aria-hidden': 'true'}, sign), h('span', {class: 'sr'}, word)),
    h('td', {class: 'line'}, kind === 'same' ? content : h(kind === 'added' ? 'ins' : 'del', null, content)));
}

/** Compares the denials of an equal time before and after the change. */
async function showAffected(place, {change, next, before, query}, signal) {
  const at = millisOf(change.at);
  const [name, wanted] = SPANS.find(([it]) => it === query.span) ?? SPANS[1];
  const after = Math.min(wanted, (next ? millisOf(next.at) : Date.now()) - at);
  const span = Math.max(1_000, Math.min(after, before ? at - millisOf(before.at) : after));
  const since = new Date(at - span).toISOString();
  const until = next && at + span >= millisOf(next.at) ? next.at : new Date(at + span).toISOString();
  const ask = period => call('audit.denials', {...period, by: ['tool', 'principal'], limit: LIMIT}, {signal});
  const [earlier, later] = await Promise.all([ask({since, until: change.at}), ask({since: change.at, until})]);

  const rows = comparedRows(earlier.groups, later.groups);
  const chooseSpan = h('span', {class: 'spans'}, h('span', {class: 'muted'}, 'at most'), SPANS.map(([it, , label]) =>
    link('rules', {...query, view: 'change', at: change.position, span: it}, {'aria-current': it === name ? 'true' : null, 'data-key': `span-${it}`}, label)));
  const to = (row, period) => row.tool === null ? null : ['denials', {...period, tool: row.tool, principal: row.principal, by: 'reason', show: 'calls'}];
  const number = (row, n, period) => {
    const target = n > 0 && to(row, period);
    return target ? link(target[0], target[1], {'aria-label': `${counted(n, 'denial')}, show`}, count(n)) : count(n);
  };
  replace(place,
    h('div', {class: 'toolbar'}, h('p', {class: 'muted'},
      `Denials in the ${duration(span)} before and after: ${count(earlier.total)} and ${count(later.total)}. `
      + 'They are counted, not explained: more calls are denied more often.'), chooseSpan),
    span < wanted && h('p', {class: 'note'}, 'The time is as long as the rules before and these were both in force.'),
    rows.length === 0
      ? empty('Nothing was denied in this time, before or after.', 'Choose a longer time.')
      : table([
        {label: 'Tool', isHeader: true, class: 'clip-cell', cell: row => code(row.tool, {max: 80})},
        {label: 'Principal', class: 'clip-cell', cell: row => code(row.principal, {max: 60})},
        {label: 'Before', numeric: true, cell: row => number(row, row.before, {since, until: change.at})},
        {label: 'After', numeric: true, cell: row => number(row, row.after, {since: change.at, until})},
        {label: 'Change', numeric: true, cell: row => signed(row.after - row.before)},
        {label: 'Remark', hideLabel: true, cell: row => (row.before === 0 ? h('span', {class: 'trend is-new'}, 'newly denied') : row.after === 0 ? h('span', {class: 'muted'}, 'no longer denied') : '')},
      ], rows, {caption: 'Denials before and after the change, by tool and principal', rowKey: row => `${row.tool}/${row.principal}`}),
    (earlier.more || later.more) && h('p', {class: 'note'}, `There are more groups than the node lists: only its ${count(LIMIT)} largest are compared.`));
}

function comparedRows(before, after) {
  const rows = new Map();
  const add = (groups, member) => groups.forEach(({tool, principal, count: n}) => {
    const key = JSON.stringify([tool, principal]);
    const row = rows.get(key) ?? {tool, principal, before: 0, after: 0};
    row[member] += n;
    rows.set(key, row);
  });
  add(before, 'before');
  add(after, 'after');
  return [...rows.values()].sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before) || b.after - a.after);
}

function signed(n) {
  return n === 0 ? '0' : h('span', {class: n > 0 ? 'bad' : 'ok'}, n > 0 ? `+${count(n)}` : `−${count(-n)}`);
}

/* A candidate */

async function showCheck(place, signal) {
  const text = h('textarea', {
    id: 'candidate', rows: 18, spellcheck: 'false', autocapitalize: 'off', wrap: 'off', 'aria-describedby': 'candidate-note',
    oninput: () => {
      result.classList.add('is-stale');
    },
  });
  const result = h('div', {class: 'check-result', 'aria-live': 'polite'});
  const choose = ({line, column}) => select(text, line, column);
  const check = async () => {
    const candidate = text.value;
    try {
      const answer = await busy(call('rules.check', candidate.trim() === '' ? {} : {text: candidate}, {signal}));
      result.classList.remove('is-stale');
      replace(result, checked(answer, candidate, choose));
    } catch (error) {
      if (!signal.aborted) {
        replace(result, problem(error));
      }
    }
  };
  replace(place, h('form', {
    onsubmit: event => {
      event.preventDefault();
      check();
    },
  },
  h('label', {htmlFor: 'candidate'}, 'The text of a rules file'),
  text,
  h('p', {class: 'muted', id: 'candidate-note'}, 'Nothing is changed. Paths in it are relative to the file in force. An empty text checks that file as it is now. The rules in force come without their secrets.'),
  h('div', {class: 'toolbar'},
    h('button', {type: 'submit', class: 'primary'}, 'Check'),
    beginWithRulesInForce(text, result, signal))),
  result);
}

function checked({ok, mistakes, warnings}, candidate, choose) {
  const isOwn = ({file}) => !/\.cedar(schema)?(\.json)?$/.test(file ?? '');
  const remarksOf = (list, kind) => list.length > 0 && remarks(list, kind, it => (isOwn(it) ? () => choose(it) : null));
  const marks = [
    ...mistakes.map(it => ({...it, kind: 'bad'})),
    ...warnings.map(it => ({...it, kind: 'warning'})),
  ].filter(it => it.line && isOwn(it));
  return [
    h('p', {class: `verdict ${ok ? 'ok' : 'bad'}`}, ok
      ? `No mistakes${warnings.length > 0 ? `, ${counted(warnings.length, 'warning')}` : ''}.`
      : `${counted(mistakes.length, 'mistake')}${warnings.length > 0 ? ` and ${counted(warnings.length, 'warning')}` : ''}. The node would refuse these rules.`),
    remarksOf(mistakes, 'bad'),
    remarksOf(warnings, 'warning'),
    marks.length > 0 && candidate.trim() !== '' && section('In the text', listing(candidate, 'The candidate with its mistakes', marks)),
  ];
}

function select(text, line, column) {
  const lines = text.value.split('\n');
  const begin = lines.slice(0, line - 1).reduce((sum, it) => sum + it.length + 1, 0) + Math.max(0, (column ?? 1) - 1);
  const lineText = lines[line - 1] ?? '';
  const end = column ? begin + (wordEnd(lineText, column - 1) - (column - 1)) : begin + lineText.length;
  text.focus();
  text.setSelectionRange(begin, Math.min(end, text.value.length));
  const lineHeight = parseFloat(getComputedStyle(text).lineHeight) || 18;
  text.scrollTop = Math.max(0, (line - 4) * lineHeight);
}
