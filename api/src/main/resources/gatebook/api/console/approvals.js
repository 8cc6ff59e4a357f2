// Calls that wait for a person, and how those before were decided.

import {link, navigate} from './address.js';
import {h, keptFocus, replace} from './dom.js';
import {ago, code, count, counted, duration, plain, shortId, statusBadge, time} from './format.js';
import {millisOf} from './buckets.js';
import {RpcError, call, hasRole} from './rpc.js';
import {refreshOn} from './refresh.js';
import {follow} from './tail.js';
import {announce, busy, dialog, empty, facts, jsonBlock, page, problem, table} from './ui.js';

export const title = 'Approvals';

const LIMIT = 1_000;
const DRAWN = 50;
const DECIDED_PAGE = 50;
const SETTLED_MILLIS = 10_000;
const SOON_MILLIS = 60_000;
const REASON_BYTES_MAX = 1_024;

const ENDS = {
  ApprovalGranted: event => ({outcome: 'granted', by: event.data.by, reason: event.data.reason}),
  ApprovalRejected: event => ({outcome: 'rejected', by: event.data.by, reason: event.data.reason}),
  ApprovalTimedOut: () => ({outcome: 'timed-out'}),
  CallAbandoned: () => ({outcome: 'call-ended'}),
  CallOrphaned: () => ({outcome: 'call-ended'}),
};

const MARKS = {granted: 'is-ok', rejected: 'is-bad', 'timed-out': 'is-fail', 'too-late': 'is-fail'};

export function show(main, {query, signal}) {
  return query.view === 'decided' ? showDecided(main, signal) : new WaitingPage(main, query, signal).start();
}

function views(chosen) {
  return h('nav', {class: 'views', 'aria-label': 'Approvals'},
    link('approvals', {}, {'aria-current': chosen === 'waiting' ? 'page' : null}, 'Waiting'),
    link('approvals', {view: 'decided'}, {'aria-current': chosen === 'decided' ? 'page' : null}, 'Decided'));
}

/** The calls that wait. What the tail says of them shows at once; the list follows. */
class WaitingPage {
  #main;
  #sort;
  #signal;
  #list = [];
  #more = false;
  #drawn = DRAWN;
  #ended = new Map();
  #knownEnds = new Map();
  #items = new Map();
  #open = null;
  #place = h('div', {class: 'approvals'});
  #summary = h('p', {class: 'lead'});

  constructor(main, query, signal) {
    this.#main = main;
    this.#sort = query.sort === 'age' ? 'age' : 'deadline';
    this.#signal = signal;
  }

  async start() {
    this.#followEvents(); // before the list, so that nothing is missed between the two
    await busy(this.#load());
    if (this.#signal.aborted) {
      return;
    }
    replace(this.#main, page('Approvals',
      views('waiting'),
      h('div', {class: 'toolbar'},
        this.#summary,
        h('span', {class: 'end'}, h('label', {htmlFor: 'approvals-sort'}, 'Sorted by'), ' ', this.#sortSelect()),
        !hasRole('view') && h('button', {type: 'button', onclick: () => busy(this.#reload())}, 'Refresh')),
      this.#place));
    this.#followKeys();
    const clock = setInterval(() => document.hidden || this.#tick(), 1_000);
    this.#signal.addEventListener('abort', () => clearInterval(clock));
  }

  #sortSelect() {
    const select = h('select', {
      id: 'approvals-sort',
      onchange: () => navigate('approvals', {sort: select.value === 'deadline' ? null : select.value}, {replace: true}),
    },
    h('option', {value: 'deadline', selected: this.#sort === 'deadline'}, 'nearest deadline'),
    h('option', {value: 'age', selected: this.#sort === 'age'}, 'oldest first'));
    return select;
  }

  #followEvents() {
    if (!hasRole('view')) {
      return; // the tail needs it; the list alone does not
    }
    const stop = follow({
      names: Object.keys(ENDS),
      onEvents: ({events, sampled}) => {
        events.forEach(event => this.#takeEnd(event));
        if (sampled) {
          this.#reload();
        }
      },
    });
    this.#signal.addEventListener('abort', stop);
    refreshOn({names: ['ApprovalRequested'], refresh: () => this.#reload(), signal: this.#signal});
  }

  /** An end may be told before the list that still has the call. */
  #takeEnd(event) {
    const end = ENDS[event.name](event);
    this.#knownEnds.set(event.callId, end);
    if (this.#knownEnds.size > LIMIT) {
      this.#knownEnds.delete(this.#knownEnds.keys().next().value);
    }
    this.#end(event.callId, end);
  }

  async #load() {
    const {approvals, more} = await call('approvals.list', {limit: LIMIT}, {signal: this.#signal, exact: true});
    const ended = this.#list.filter(it => this.#ended.has(it.callId) && !approvals.some(other => other.callId === it.callId));
    this.#list = [...approvals, ...ended].sort(this.#sort === 'age'
      ? (a, b) => millisOf(a.requestedAt) - millisOf(b.requestedAt)
      : (a, b) => millisOf(a.deadline) - millisOf(b.deadline));
    this.#more = more;
    this.#draw();
    approvals.filter(it => this.#knownEnds.has(it.callId)).forEach(it => this.#end(it.callId, this.#knownEnds.get(it.callId)));
  }

  async #reload() {
    try {
      await this.#load();
    } catch (error) {
      if (!this.#signal.aborted) {
        replace(this.#place, problem(error));
      }
    }
  }

  #draw() {
    this.#showSummary();
    if (this.#list.length === 0) {
      replace(this.#place, empty('No call waits for an approval.',
        'A call that the rules put to a person appears here by itself, and the title of this page counts it.',
        link('approvals', {view: 'decided'}, 'See what was decided')));
      return;
    }
    const restore = keptFocus(this.#place);
    const items = new Map();
    for (const it of this.#list.slice(0, this.#drawn)) {
      items.set(it.callId, this.#items.get(it.callId) ?? this.#itemOf(it));
    }
    this.#items = items;
    const rest = this.#list.length - items.size;
    this.#place.replaceChildren(
      h('p', {class: 'sr', id: 'approval-keys'}, hasRole('approve') ? 'j and k go through the calls, a approves, r rejects.' : ''),
      ...[...items.values()].map(item => item.element),
      ...(rest > 0 ? [h('div', {class: 'more'}, h('button', {type: 'button', onclick: () => this.#drawMore()}, `Show ${count(rest)} more`))] : []));
    restore();
  }

  #drawMore() {
    this.#drawn += 4 * DRAWN;
    this.#draw();
  }

  #itemOf(approval) {
    const due = h('span', {class: 'due num'});
    const actions = h('div', {class: 'approval-actions'});
    const outcome = h('p', {class: 'approval-outcome', hidden: true});
    const headingId = `approval-${approval.callId}`;
    const element = h('article', {
      class: 'approval', tabIndex: 0, 'data-row': approval.callId, 'data-key': approval.callId,
      'aria-labelledby': headingId, 'aria-describedby': 'approval-keys',
    },
    h('div', {class: 'approval-head'},
      h('h2', {id: headingId}, code(approval.tool, {max: 120}), ' ', h('span', {class: 'muted'}, 'for'), ' ', code(approval.principal, {max: 80})),
      due),
    facts([
      ['Asked', time(approval.requestedAt)],
      ['Deadline', time(approval.deadline)],
      ['Workflow', code(approval.workflow, {max: 80})],
      ['Call', link(['call', approval.callId], {}, shortId(approval.callId))],
      ['Correlation', code(approval.correlationId, {max: 80})],
    ], {class: 'facts approval-facts'}),
    this.#argumentsOf(approval),
    outcome,
    actions);
    const item = {approval, element, due, actions, outcome};
    this.#showActions(item);
    this.#showDue(item);
    return item;
  }

  #argumentsOf(approval) {
    if (!hasRole('arguments')) {
      return h('p', {class: 'note'}, 'What it would be called with is shown to operators with the role arguments.');
    }
    return approval.arguments === undefined || approval.arguments === null
      ? h('p', {class: 'note'}, 'It has no arguments, or they are not kept.')
      : jsonBlock(approval.arguments, `Arguments of ${plain(approval.tool)}`);
  }

  #showActions(item) {
    if (!hasRole('approve')) {
      replace(item.actions, h('p', {class: 'muted'}, 'Deciding needs the role approve.'));
      return;
    }
    replace(item.actions,
      h('button', {type: 'button', class: 'primary', 'data-key': `approve-${item.approval.callId}`, onclick: () => this.#ask(item, true)}, 'Approve ', h('kbd', {'aria-hidden': 'true'}, 'a')),
      h('button', {type: 'button', class: 'danger', 'data-key': `reject-${item.approval.callId}`, onclick: () => this.#ask(item, false)}, 'Reject ', h('kbd', {'aria-hidden': 'true'}, 'r')));
  }

  #showDue(item) {
    if (this.#ended.has(item.approval.callId)) {
      replace(item.due);
      return;
    }
    const left = millisOf(item.approval.deadline) - Date.now();
    item.due.classList.toggle('is-soon', left < SOON_MILLIS);
    item.due.textContent = left > 0 ? `${duration(Math.floor(left / 1_000) * 1_000)} left` : 'the deadline has passed';
  }

  #tick() {
    this.#items.forEach(item => this.#showDue(item));
  }

  #followKeys() {
    document.addEventListener('keydown', event => {
      const isTyping = ['INPUT', 'TEXTAREA', 'SELECT'].includes(event.target.tagName);
      const isApprove = event.key === 'a';
      if (!(isApprove || event.key === 'r') || isTyping || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey
          || document.querySelector('dialog[open]') || !hasRole('approve')) {
        return;
      }
      const item = [...this.#items.values()].find(({element}) => element.contains(document.activeElement));
      event.preventDefault();
      if (item) {
        this.#ask(item, isApprove);
      } else {
        this.#first()?.focus();
        announce('Choose a call with j and k first.');
      }
    }, {signal: this.#signal});
  }

  #first() {
    return [...this.#items.values()].find(({approval}) => !this.#ended.has(approval.callId))?.element;
  }

  /** Asks for a reason, and decides. */
  #ask(item, isApproval) {
    const {approval} = item;
    if (this.#ended.has(approval.callId)) {
      announce(outcomeWords(this.#ended.get(approval.callId)));
      return;
    }
    const word = isApproval ? 'Approve' : 'Reject';
    const reason = h('input', {type: 'text', id: 'decision-reason', autocomplete: 'off', maxlength: REASON_BYTES_MAX});
    const place = h('div');
    const submit = h('button', {type: 'submit', class: isApproval ? 'primary' : 'danger'}, word);
    const form = h('form', {
      class: 'decision',
      onsubmit: async event => {
        event.preventDefault();
        if (new TextEncoder().encode(reason.value.trim()).length > REASON_BYTES_MAX) {
          replace(place, h('p', {class: 'bad', role: 'alert'}, `The reason is longer than ${count(REASON_BYTES_MAX)} bytes: shorten it.`));
          return;
        }
        submit.disabled = true;
        const failure = await this.#decide(item, isApproval, reason.value.trim());
        submit.disabled = false;
        if (failure) {
          replace(place, failure);
        } else {
          opened.close();
        }
      },
    },
    h('p', null, code(approval.tool, {max: 200}), h('span', {class: 'muted'}, ' for '), code(approval.principal, {max: 80})),
    h('label', {htmlFor: 'decision-reason'}, 'Reason (optional; recorded with the decision, shown to operators)'),
    reason,
    place,
    h('div', {class: 'dialog-actions'},
      submit,
      h('button', {type: 'button', onclick: () => opened.close()}, 'Cancel')));
    const opened = dialog(`${word} this call?`, form, {onClose: () => {
      this.#open = null;
      this.#focusNear(item);
    }});
    this.#open = {callId: approval.callId, place, submit};
    reason.focus();
  }

  /** Returns what to show in the dialog when the decision could not be taken. */
  async #decide({approval}, isApproval, reason) {
    const {callId} = approval;
    try {
      const result = await busy(call(isApproval ? 'approvals.approve' : 'approvals.reject', {callId, ...(reason ? {reason} : {})}));
      this.#end(callId, ended(result, reason), true);
      return null;
    } catch (error) {
      return error instanceof RpcError && error.code === 503
        ? h('div', {class: 'problem', role: 'alert'},
          h('p', {class: 'problem-sentence'}, 'The decision was not recorded and does not count.'),
          h('p', null, plain(error.message)))
        : problem(error);
    }
  }

  /** The call no longer waits: says how it ended where it stands, and takes it away a little later. */
  #end(callId, end, isOwn = false) {
    const item = this.#items.get(callId);
    const isListed = this.#list.some(it => it.callId === callId);
    if (!isListed || (this.#ended.has(callId) && !isOwn)) {
      return;
    }
    this.#ended.set(callId, end);
    if (this.#open?.callId === callId && !isOwn) {
      this.#open.submit.disabled = true;
      replace(this.#open.place, h('p', {class: 'bad', role: 'alert'}, outcomeWords(end)));
    }
    if (item) {
      item.element.classList.add('is-ended');
      item.outcome.hidden = false;
      replace(item.outcome, h('span', {class: `status ${MARKS[end.outcome] ?? 'is-none'}`}, outcomeWords(end)));
      replace(item.actions);
      this.#showDue(item);
    }
    announce(outcomeWords(end));
    this.#showSummary();
    setTimeout(() => this.#takeAway(callId), SETTLED_MILLIS);
  }

  #showSummary() {
    const waiting = this.#list.filter(it => !this.#ended.has(it.callId)).length;
    const number = `${counted(waiting, 'call')}${this.#more ? ' or more' : ''}`;
    replace(this.#summary, waiting === 0 ? 'Nothing waits.' : `${number} ${waiting === 1 ? 'waits' : 'wait'} for a person.`);
  }

  #takeAway(callId) {
    const element = this.#items.get(callId)?.element;
    if (this.#signal.aborted) {
      return;
    }
    if (element?.contains(document.activeElement) || element?.matches(':hover')) {
      setTimeout(() => this.#takeAway(callId), SETTLED_MILLIS);
      return;
    }
    this.#list = this.#list.filter(it => it.callId !== callId);
    this.#ended.delete(callId);
    this.#draw();
  }

  /** After a decision the next call that waits has the focus. */
  #focusNear({approval}) {
    if (!this.#ended.has(approval.callId)) {
      this.#items.get(approval.callId)?.element.focus();
      return;
    }
    const all = [...this.#items.values()];
    const at = all.findIndex(it => it.approval.callId === approval.callId);
    const next = [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0)).reverse()]
      .find(it => !this.#ended.has(it.approval.callId));
    (next ?? all[at])?.element.focus();
  }
}

/** How a call ended, from the answer to a decision. */
function ended(result, reason) {
  switch (result.outcome) {
    case 'already-decided': return {outcome: result.decision, by: result.by, isEarlier: true};
    case 'too-late': return {outcome: 'too-late', deadline: result.deadline};
    case 'caller-gone': return {outcome: 'call-ended', end: result.end};
    default: return {outcome: result.outcome, isOwn: true, reason};
  }
}

function outcomeWords({outcome, by, reason, isOwn, isEarlier, deadline, end}) {
  const why = reason ? `: ${plain(reason)}` : '';
  const who = isOwn ? 'You' : by ? plain(by) : 'The workflow';
  switch (outcome) {
    case 'granted': return isEarlier ? `${who} had approved this already.` : `${who} approved this${why}. The call goes on.`;
    case 'rejected': return isEarlier ? `${who} had rejected this already.` : `${who} rejected this${why}. The caller gets an error.`;
    case 'timed-out': return 'Nobody decided before the deadline.';
    case 'too-late': return `Too late: the deadline was ${ago(deadline)}.`;
    default: return end === 'orphaned' || end === 'restarted'
      ? 'The node that held this call has stopped; nobody waits for it.'
      : 'The caller has gone; nobody waits for this call.';
  }
}

async function showDecided(main, signal) {
  const place = h('div');
  let listed = 0;
  const next = async () => {
    const limit = Math.min(LIMIT, listed === 0 ? DECIDED_PAGE : listed + 4 * DECIDED_PAGE);
    const {approvals, more} = await call('approvals.list', {decided: true, limit}, {signal});
    const rows = approvals.slice(listed);
    listed = approvals.length;
    return {rows, more: more && limit < LIMIT};
  };
  const load = async () => {
    listed = 0;
    const {rows, more} = await next();
    replace(place, rows.length > 0
      ? table(DECIDED, rows, {caption: 'Decided approvals, newest first', rowKey: row => row.callId, onMore: more ? next : undefined})
      : empty('Nothing was decided yet.', 'Decisions about calls that waited for a person are listed here.'));
  };
  await busy(load());
  replace(main, page('Approvals', views('decided'), place));
  if (hasRole('view')) {
    refreshOn({
      names: ['ApprovalGranted', 'ApprovalRejected', 'ApprovalTimedOut'],
      refresh: async () => listed <= DECIDED_PAGE && load().catch(() => {}),
      signal,
    });
  }
}

const DECIDED = [
  {label: 'Decided', isHeader: true, cell: row => link(['call', row.callId], {}, time(row.decidedAt ?? row.deadline))},
  {label: 'Outcome', cell: row => statusBadge(row.outcome)},
  {label: 'By', class: 'clip-cell', cell: row => (row.by ? code(row.by, {max: 40}) : h('span', {class: 'muted'}, row.outcome === 'granted' ? 'the workflow' : '–'))},
  {label: 'Tool', class: 'clip-cell', cell: row => code(row.tool, {max: 60})},
  {label: 'Principal', class: 'clip-cell', cell: row => code(row.principal, {max: 40})},
  {label: 'Reason', class: 'clip-cell', cell: row => (row.reason ? code(row.reason, {max: 80}) : h('span', {class: 'none'}, '–'))},
  {label: 'Waited', numeric: true, cell: waited},
];

function waited({requestedAt, decidedAt}) {
  return decidedAt ? duration(millisOf(decidedAt) - millisOf(requestedAt)) : '–';
}
