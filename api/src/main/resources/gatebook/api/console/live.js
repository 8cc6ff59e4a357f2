// Calls as they are decided. All are counted; the list draws a sample when there are too many to draw.

import {link, navigate} from './address.js';
import {clear, h, keptFocus, replace} from './dom.js';
import {code, count, counted, duration, errorCode, plain, statusBadge, time} from './format.js';
import {GATES, parse, toText} from './filter.js';
import {sparkline} from './chart.js';
import {hasRole, session} from './rpc.js';
import {follow} from './tail.js';
import {CALL_EVENTS} from './tail-events.js';
import {announce, empty, page} from './ui.js';

export const title = 'Live';

const ROWS_MAX = 60;
const NEW_ROWS_MAX = 15; // in one drawing, so that none takes long
const CALLS_MAX = 300;
const DRAW_MILLIS = 250;
const DRAW_SHARE = 8; // of the time, at most one part of so many goes into drawing
const SECONDS = 60;
const KEPT_MILLIS = 10 * 60_000;

/** What was shown when the session ended, so that signing in again goes on without a gap. */
let interrupted = null;

export async function show(main, {query, signal}) {
  const text = query.q ?? '';
  if (!hasRole('view')) {
    replace(main, page('Live', empty('Your operator may not follow events.', 'This needs the role view: ask an admin.')));
    return;
  }
  const before = interrupted?.text === text && Date.now() - interrupted.at < KEPT_MILLIS ? interrupted : null;
  interrupted = null;
  new LivePage(main, {text, signal, before}).start();
}

class LivePage {
  #main;
  #text;
  #signal;
  #calls;
  #totals;
  #position;
  #perSecond = new Array(SECONDS).fill(0);
  #state = {state: 'connecting'};
  #meanwhile = 0;
  #isPaused = false;
  #isSampled = false;
  #stop = null;
  #drawTimer = 0;
  #drawCost = 0;
  #rows = new Map();
  #parts = {};

  constructor(main, {text, signal, before}) {
    this.#main = main;
    this.#text = text;
    this.#signal = signal;
    this.#calls = before?.calls ?? new Map();
    this.#totals = before?.totals ?? {events: 0};
    this.#position = before?.position ?? null;
  }

  start() {
    this.#build();
    const {id, filters} = parse(this.#text);
    const wanted = {...filters, ...(id ? {id} : {})};
    this.#stop = follow({
      names: CALL_EVENTS,
      calls: true,
      filters: Object.keys(wanted).length > 0 ? wanted : null,
      after: this.#position,
      onEvents: batch => this.#take(batch),
      onState: state => this.#tell(state),
    });
    const clock = setInterval(() => this.#tick(), 1_000);
    this.#signal.addEventListener('abort', () => {
      clearInterval(clock);
      clearTimeout(this.#drawTimer);
      this.#stop();
      this.#remember();
    });
    document.addEventListener('keydown', event => {
      const isTyping = ['INPUT', 'TEXTAREA', 'SELECT'].includes(event.target.tagName);
      if (event.key === 'p' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey && !document.querySelector('dialog[open]')) {
        event.preventDefault();
        this.#togglePause();
      }
    }, {signal: this.#signal});
    this.#draw();
    this.#showState();
  }

  #remember() {
    const position = this.#position ?? this.#state.position ?? null;
    const isCutOff = session() === null || ['signed-out', 'waiting'].includes(this.#state.state);
    if (isCutOff && position !== null) {
      interrupted = {
        text: this.#text,
        at: Date.now(),
        calls: this.#calls,
        totals: this.#totals,
        position,
      };
    }
  }

  #build() {
    const {unknown, filters} = parse(this.#text);
    const useless = [...unknown, ...(filters.since || filters.until ? ['since and until'] : [])];
    const input = h('input', {
      type: 'search', id: 'live-filter', value: this.#text, size: 40, autocomplete: 'off', spellcheck: 'false',
      placeholder: 'status:denied tool:transfer',
    });
    const form = h('form', {
      class: 'live-filter',
      onsubmit: event => {
        event.preventDefault();
        const {id} = parse(input.value);
        navigate('live', {q: id ?? ([toText(parse(input.value).filters), parse(input.value).unknown.join(' ')].filter(Boolean).join(' '))});
      },
    },
    h('label', {htmlFor: 'live-filter'}, 'Only'), ' ', input, ' ', h('button', {type: 'submit'}, 'Filter'),
    this.#text && link('live', {}, {class: 'button'}, 'All'));

    this.#parts = {
      pause: h('button', {type: 'button', 'aria-pressed': 'false', onclick: () => this.#togglePause()}, 'Pause ', h('kbd', null, 'p')),
      state: h('p', {class: 'live-state'}),
      stats: h('dl', {class: 'stats live-stats'}),
      course: h('div', {class: 'live-course'}),
      note: h('p', {class: 'note', hidden: true}),
      body: h('tbody', {role: 'rowgroup'}),
      empty: h('div'),
    };
    const region = h('div', {class: 'table-region live-table', tabIndex: 0, role: 'region', 'aria-label': 'Calls, newest first'},
      h('table', {role: 'table'},
        h('caption', {class: 'sr'}, 'Calls, newest first'),
        h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'}, COLUMNS.map(([label, numeric]) =>
          h('th', {scope: 'col', role: 'columnheader', class: numeric ? 'numeric' : null}, label)))),
        this.#parts.body));
    replace(this.#main, page('Live',
      h('div', {class: 'toolbar'}, this.#parts.pause, this.#parts.state, h('div', {class: 'end'}, form)),
      useless.length > 0 && h('p', {class: 'note'}, 'These words say nothing here: ', useless.map((it, index) => [index > 0 && ', ', code(it, {max: 60})]), '.'),
      h('div', {class: 'live-head'}, this.#parts.stats, this.#parts.course),
      this.#parts.note,
      region,
      this.#parts.empty));
  }

  #take({calls, counted: n, meanwhile, sampled, counts, position}) {
    this.#meanwhile += meanwhile;
    if (n > 0) {
      this.#position = position;
      this.#totals.events += n;
      this.#perSecond[SECONDS - 1] += n;
      this.#isSampled ||= sampled;
      for (const [what, many] of Object.entries(counts)) {
        this.#totals[what] = (this.#totals[what] ?? 0) + many;
      }
      for (const it of calls) {
        this.#calls.set(it.callId, it);
      }
      this.#forgetOld();
    }
    this.#drawSoon();
  }

  #drawSoon() {
    this.#drawTimer ||= setTimeout(() => {
      this.#drawTimer = 0;
      requestAnimationFrame(() => this.#draw());
    }, Math.max(DRAW_MILLIS, DRAW_SHARE * this.#drawCost));
  }

  /** Remembers more calls than are shown, so that a late event of one finds it. */
  #forgetOld() {
    const old = this.#calls.keys();
    while (this.#calls.size > CALLS_MAX) {
      this.#calls.delete(old.next().value);
    }
  }

  #tell(state) {
    const before = this.#state.state;
    this.#state = state;
    this.#showState();
    if (before !== state.state && before !== 'connecting') {
      announce(wordsOf(state));
    }
  }

  #togglePause() {
    this.#isPaused = !this.#isPaused;
    if (this.#isPaused) {
      this.#stop.pause();
    } else {
      this.#meanwhile = 0;
      this.#stop.resume();
    }
    this.#parts.pause.setAttribute('aria-pressed', String(this.#isPaused));
    replace(this.#parts.pause, this.#isPaused ? 'Resume ' : 'Pause ', h('kbd', null, 'p'));
    this.#showState();
    announce(this.#isPaused ? 'Paused.' : 'Resumed.');
  }

  #tick() {
    this.#perSecond.shift();
    this.#perSecond.push(0);
    if (!document.hidden) {
      this.#showCourse();
      if (this.#state.state === 'waiting') {
        this.#showState();
      }
    }
  }

  #showCourse() {
    const recent = this.#perSecond.slice(-6, -1);
    const rate = Math.round(recent.reduce((sum, it) => sum + it, 0) / recent.length);
    replace(this.#parts.course,
      sparkline(this.#perSecond.slice(0, -1), `events in each of the last ${SECONDS} seconds`, {width: 180, height: 30}),
      h('span', {class: 'muted num'}, `${count(rate)} events/s`));
  }

  #showState() {
    const {state} = this.#state;
    const shown = this.#isPaused ? 'paused' : state;
    this.#parts.state.dataset.state = shown;
    const isStill = this.#isPaused && state === 'live';
    replace(this.#parts.state, isStill
      ? `Paused. ${counted(this.#meanwhile, 'event')} came meanwhile and will be shown.`
      : wordsOf(this.#state));
  }

  #draw() {
    if (this.#signal.aborted) {
      return;
    }
    const began = performance.now();
    setTimeout(() => {
      this.#drawCost = performance.now() - began; // with the layout and the painting
    });
    this.#showStats();
    if (this.#isPaused) {
      this.#showState();
    }
    if (!this.#isHeld()) {
      this.#drawRows();
    }
    this.#parts.note.hidden = !this.#isSampled;
    if (this.#isSampled && !this.#parts.note.firstChild) {
      replace(this.#parts.note, 'There are more calls than can be read: the list draws a sample of whole calls. The numbers count all.');
    }
  }

  /** The list stands still while the pointer or the focus is on a call. */
  #isHeld() {
    const {body} = this.#parts;
    return body.firstChild !== null && (body.matches(':hover') || body.contains(document.activeElement));
  }

  #showStats() {
    const t = this.#totals;
    const gates = GATES.filter(gate => t[`gate:${gate}`]).map(gate => `${gate} ${count(t[`gate:${gate}`])}`).join(', ');
    const items = [
      ['events', t.events],
      ['received', t.CallReceived],
      ['admitted', t.CallAdmitted],
      ['denied', t.GateDenied, gates],
      ['asked a person', t.ApprovalRequested],
      ['answered', t['status:answered']],
      ['failed', t['status:failed']],
      ['refused', t['status:refused']],
    ].filter(([name, n]) => n > 0 || ['events', 'admitted', 'denied'].includes(name));
    replace(this.#parts.stats, items.map(([name, n, more]) => h('div', {title: more || null},
      h('dt', null, name), h('dd', null, count(n ?? 0)), more && h('dd', {class: 'stat-more'}, more))));
  }

  /** The calls of the next drawing, newest first. Of those without a row the newest come first, the others soon. */
  #nextRows() {
    const newest = [...this.#calls.values()].reverse();
    const isNew = it => !this.#rows.has(it.callId);
    const missing = newest.slice(0, ROWS_MAX).filter(isNew);
    if (missing.length > NEW_ROWS_MAX) {
      this.#isSampled ||= this.#rows.size > 0 && missing.length === ROWS_MAX; // some will never have a row
      this.#drawSoon();
    }
    const added = new Set(missing.slice(0, NEW_ROWS_MAX));
    return newest.filter(it => added.has(it) || !isNew(it)).slice(0, ROWS_MAX);
  }

  #drawRows() {
    const {body} = this.#parts;
    const calls = this.#nextRows();
    replace(this.#parts.empty, calls.length === 0 && empty('No call since this page was opened.',
      this.#text ? 'Calls that match the filter appear here as they are decided.' : 'Calls appear here as they are decided: send one.'));
    const restore = keptFocus(body);
    const shown = new Map();
    for (const it of calls) {
      const row = this.#rows.get(it.callId);
      shown.set(it.callId, row?.position === it.position ? row : {position: it.position, element: rowOf(it)});
    }
    this.#rows = shown;
    clear(body);
    body.append(...[...shown.values()].map(it => it.element));
    restore();
  }
}

const COLUMNS = [['At'], ['Status'], ['Tool'], ['Principal'], ['Gate, reason'], ['Code', true], ['Took', true], ['Last event']];

function rowOf(it) {
  const why = [it.gate, it.reason].filter(Boolean).map(plain).join(', ');
  const cells = [
    link(['call', it.callId], {}, time(it.receivedAt ?? it.at, 'time')),
    it.status === 'received' ? h('span', {class: 'status is-none'}, 'deciding') : statusBadge(it.status),
    code(it.target ?? it.method, {max: 48}),
    code(it.principal, {max: 32}),
    why || h('span', {class: 'none'}, '–'),
    errorCode(it.code),
    duration(it.durationMillis),
    h('span', {class: 'muted'}, plain(it.last)),
  ];
  return h('tr', {role: 'row', 'data-row': it.callId}, cells.map((cell, index) => {
    const [label, numeric] = COLUMNS[index];
    return index === 0
      ? h('th', {scope: 'row', role: 'rowheader', 'data-label': label}, cell)
      : h('td', {role: 'cell', 'data-label': label, class: numeric ? 'numeric' : 'clip-cell'}, cell);
  }));
}

function wordsOf({state, retryAt, reason}) {
  const seconds = Math.max(0, Math.ceil(((retryAt ?? 0) - Date.now()) / 1_000));
  switch (state) {
    case 'connecting': return 'Connecting…';
    case 'live': return 'Live.';
    case 'catching-up': return 'Showing what came meanwhile…';
    case 'waiting': return reason === 'busy'
      ? `The node has too many readers, or is stopping. Next attempt in ${seconds} s, from the last event shown here.`
      : `The node does not answer. Next attempt in ${seconds} s, from the last event shown here.`;
    case 'signed-out': return 'Your session has ended.';
    case 'forbidden': return 'Your operator may not follow events: this needs the role view.';
    default: return 'The node refused the tail: reload the page.';
  }
}
