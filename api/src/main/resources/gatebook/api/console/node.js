// The node: its journal, views, sources and disk. Every request is recorded, so the page asks when
// it is opened, on request, and while a view is being rebuilt.

import {link} from './address.js';
import {h, replace} from './dom.js';
import {ago, bytes, code, count, counted, duration, localText, plain, statusBadge, time} from './format.js';
import {millisOf} from './buckets.js';
import {call, hasRole} from './rpc.js';
import {refreshOn} from './refresh.js';
import {announce, busy, dialog, empty, facts, page, problem, table} from './ui.js';

export const title = 'Node';

const PROGRESS_MILLIS = 2_000;
const PARKED = 100;

export function show(main, {signal}) {
  return new NodePage(main, signal).start();
}

class NodePage {
  #main;
  #signal;
  #status = null;
  #views = [];
  #parked = {parked: [], more: false};
  #timer = 0;
  #parts = {
    asOf: h('span', {class: 'muted'}),
    problem: h('div'),
    journal: h('div'),
    verification: h('div', {class: 'verification', 'aria-live': 'polite'}),
    views: h('div'),
    parked: h('div'),
    sources: h('div'),
    nodes: h('div'),
    witnesses: h('div'),
    disk: h('div'),
  };

  constructor(main, signal) {
    this.#main = main;
    this.#signal = signal;
  }

  async start() {
    await this.#load();
    if (this.#signal.aborted) {
      return;
    }
    const {asOf, problem: trouble, journal, verification, views, parked, sources, nodes, witnesses, disk} = this.#parts;
    const name = this.#status?.node;
    replace(this.#main, page(name ? h('h1', null, 'Node ', code(name, {max: 60})) : 'Node',
      h('div', {class: 'toolbar'}, asOf,
        h('button', {type: 'button', 'data-key': 'refresh', onclick: () => this.#load()}, 'Refresh')),
      trouble,
      section('Journal', journal, this.#verifyButton(), verification),
      section('Views', views),
      section('Parked events', parked),
      section('Sources', sources),
      section('Nodes', nodes),
      section('Witnesses', witnesses),
      section('Disk', disk)));
    this.#signal.addEventListener('abort', () => clearTimeout(this.#timer));
    if (hasRole('view')) {
      refreshOn({
        names: ['RulesActivated', 'JournalOutage', 'MismatchAccepted', 'CosignatureRefused', 'RollbackFound'],
        refresh: () => this.#load(),
        signal: this.#signal,
      });
    }
  }

  async #load() {
    try {
      await busy(Promise.all([this.#loadStatus(), this.#loadViews(), this.#loadParked()]));
      replace(this.#parts.problem);
      replace(this.#parts.asOf, 'As of ', localText(new Date().toISOString(), 'time'));
    } catch (error) {
      if (!this.#signal.aborted) {
        replace(this.#parts.problem, problem(error));
      }
    }
  }

  async #loadStatus() {
    this.#status = await call('node.status', {}, {signal: this.#signal});
    this.#showJournal();
    this.#showSources();
    this.#showNodes();
    this.#showWitnesses();
    this.#showDisk();
  }

  async #loadViews() {
    ({projections: this.#views} = await call('audit.projections', {}, {signal: this.#signal}));
    this.#showViews();
    this.#watchRebuilds();
  }

  async #loadParked() {
    this.#parked = await call('audit.parked', {limit: PARKED}, {signal: this.#signal});
    this.#showParked();
  }

  #showJournal() {
    const {version, startedAt, journal, anchors = []} = this.#status;
    const {lastCheckpoint, lastVerification} = journal;
    replace(this.#parts.journal,
      h('dl', {class: 'stats'},
        stat('position', count(journal.position)),
        stat('batches since the start', count(journal.batches)),
        stat('forced writes since', count(journal.forcedWrites)),
        stat('events in the queue', count(journal.queueEvents)),
        stat('size', bytes(journal.bytes))),
      facts([
        ['Durability', DURABILITIES[journal.durability] ?? plain(journal.durability ?? '')],
        ['Last checkpoint', lastCheckpoint
          ? [`at position ${count(lastCheckpoint.position)}, `, time(lastCheckpoint.at), this.#behind(lastCheckpoint.position)]
          : h('span', {class: 'muted'}, 'none yet')],
        ['Last verification', lastVerification ? this.#lastVerification(lastVerification) : h('span', {class: 'muted'}, 'not since it was started')],
        ...anchors.map(anchor => ['Anchor', this.#anchor(anchor)]),
        ['Dropped', journal.droppedThrough && ['events through ', time(journal.droppedThrough), ', but for those that still decide']],
        ['Started', startedAt && [time(startedAt), h('span', {class: 'muted'}, ` ${ago(startedAt)}`)]],
        ['Version', version && plain(version)],
      ]));
  }

  #behind(position) {
    const behind = this.#status.journal.position - position;
    return behind > 0 && h('span', {class: 'muted'}, ` · ${counted(behind, 'event')} after it`);
  }

  #anchor({name, kind, size, at, failure}) {
    return [
      code(name, {max: 40}), ` (${plain(kind)}) `,
      at ? [`up to position ${count(size)}, `, time(at)] : h('span', {class: 'muted'}, 'nothing yet'),
      failure && [' ', h('span', {class: 'status is-bad'}, plain(failure))],
    ];
  }

  #lastVerification({at, by, ok, position}) {
    return [
      h('span', {class: `status ${ok ? 'is-ok' : 'is-bad'}`}, ok ? 'unaltered' : 'altered'),
      position === null || position === undefined ? null : ` up to position ${count(position)}`,
      ', ', time(at), by && [' by ', code(by, {max: 40})],
    ];
  }

  #verifyButton() {
    const button = h('button', {
      type: 'button', 'data-key': 'verify',
      onclick: async () => {
        button.disabled = true;
        replace(this.#parts.verification, h('p', {class: 'muted'}, 'The journal is being verified…'));
        try {
          const report = await busy(call('audit.verify', {}, {signal: this.#signal}));
          replace(this.#parts.verification, reportOf(report));
          announce(report.clean ? 'The journal is unaltered.' : 'The journal was altered.');
          await this.#loadStatus();
        } catch (error) {
          if (!this.#signal.aborted) {
            replace(this.#parts.verification, problem(error));
          }
        } finally {
          button.disabled = false;
        }
      },
    }, 'Verify now');
    return h('p', {class: 'actions'}, button);
  }

  #showViews() {
    const isAdmin = hasRole('admin');
    replace(this.#parts.views, table([
      {label: 'View', isHeader: true, cell: view => plain(view.name)},
      {label: 'State', cell: view => [viewState(view), view.failure && h('p', {class: 'bad'}, plain(view.failure))]},
      {label: 'Position', numeric: true, cell: view => count(view.position)},
      {label: 'Behind', numeric: true, cell: view => (view.lag === 0 ? '0' : h('span', {class: 'wait'}, count(view.lag)))},
      {label: 'Parked', numeric: true, cell: view => (view.parked > 0 ? h('span', {class: 'bad'}, count(view.parked)) : '0')},
      {label: 'Rebuild', cell: view => rebuildOf(view)},
      isAdmin && {label: 'Actions', hideLabel: true, cell: view => this.#viewAction(view)},
    ].filter(Boolean), this.#views, {caption: 'Views', rowKey: view => view.name}));
  }

  #viewAction(view) {
    return view.replay
      ? h('button', {type: 'button', 'data-key': `cancel-${view.name}`, 'aria-label': `Cancel the rebuild of ${view.name}`, onclick: () => this.#cancel(view)}, 'Cancel')
      : h('button', {type: 'button', 'data-key': `rebuild-${view.name}`, 'aria-label': `Rebuild ${view.name}`, onclick: () => this.#askToRebuild(view)}, 'Rebuild…');
  }

  #askToRebuild(view) {
    const place = h('div');
    const confirm = h('button', {
      type: 'button', class: 'primary',
      onclick: async () => {
        confirm.disabled = true;
        try {
          await busy(call('audit.replay', {projection: view.name}));
          opened.close();
          await this.#loadViews();
          this.#announceRebuilds([view.name]);
        } catch (error) {
          confirm.disabled = false;
          replace(place, problem(error));
        }
      },
    }, 'Rebuild');
    const opened = dialog(`Rebuild the view ${view.name}?`, [
      h('p', null, `All ${count(view.position)} events are read again, beside the view that answers now. It is replaced once the new one is complete.`),
      place,
      h('div', {class: 'dialog-actions'}, confirm, h('button', {type: 'button', onclick: () => opened.close()}, 'Cancel')),
    ]);
    confirm.focus();
  }

  async #cancel(view) {
    try {
      const {cancelled} = await busy(call('audit.cancelReplay', {projection: view.name}));
      announce(cancelled ? `The rebuild of ${view.name} is cancelled; the view stays as it was.` : `No rebuild of ${view.name} was running.`);
      await this.#loadViews();
    } catch (error) {
      replace(this.#parts.problem, problem(error));
    }
  }

  /** Asks for the progress while a rebuild runs and the page is visible. */
  #watchRebuilds() {
    clearTimeout(this.#timer);
    if (!this.#views.some(view => view.replay) || this.#signal.aborted) {
      return;
    }
    this.#timer = setTimeout(async () => {
      if (document.hidden) {
        document.addEventListener('visibilitychange', () => this.#watchRebuilds(), {once: true, signal: this.#signal});
        return;
      }
      const running = this.#views.filter(view => view.replay).map(view => view.name);
      try {
        await this.#loadViews();
      } catch {
        this.#watchRebuilds();
        return;
      }
      const isRunning = name => this.#views.some(it => it.name === name && it.replay);
      this.#announceRebuilds(running.filter(name => !isRunning(name)));
    }, PROGRESS_MILLIS);
  }

  /** Says all at once: one view may have several names. A rebuild may have ended before its progress was asked for. */
  #announceRebuilds(names) {
    const sentences = this.#views
      .filter(view => names.includes(view.name))
      .map(({name, replay, lastReplay}) => replay ? `The view ${name} is being rebuilt.`
        : lastReplay ? `The rebuild of ${name} ended: ${lastReplay.outcome}.` : '')
      .filter(sentence => sentence);
    if (sentences.length > 0) {
      announce(sentences.join(' '));
    }
  }

  #showParked() {
    const {parked, more} = this.#parked;
    if (parked.length === 0) {
      replace(this.#parts.parked, h('p', {class: 'muted'}, 'None: the views took every event.'));
      return;
    }
    const isAdmin = hasRole('admin');
    replace(this.#parts.parked,
      h('p', {class: 'muted'}, 'A view set these events aside because it could not apply them; its numbers are without them.'),
      table([
        {label: 'View', cell: it => plain(it.projection)},
        {label: 'Position', numeric: true, isHeader: true, cell: it => count(it.position)},
        {label: 'Event', cell: it => plain(it.name.replace(/^gatebook\./, ''))},
        {label: 'Recorded', cell: it => time(it.at)},
        {label: 'Why', class: 'why-cell', cell: it => code(it.error, {max: 400})},
        {label: 'Attempts', numeric: true, cell: it => count(it.attempts)},
        {label: 'Belongs to', cell: it => belongsTo(it)},
        isAdmin && {label: 'Actions', hideLabel: true, cell: it => this.#parkedActions(it)},
      ].filter(Boolean), parked, {caption: 'Parked events, oldest first', rowKey: it => `${it.projection}-${it.position}`}),
      more && h('p', {class: 'note'}, `There are more: at most ${count(PARKED)} of each view are listed.`));
  }

  #parkedActions(parked) {
    const id = `${parked.projection}-${parked.position}`;
    const label = `position ${parked.position} of ${parked.projection}`;
    return h('span', {class: 'row-actions'},
      h('button', {type: 'button', 'data-key': `retry-${id}`, 'aria-label': `Retry ${label}`, onclick: () => this.#retry(parked)}, 'Retry'),
      h('button', {type: 'button', class: 'danger', 'data-key': `discard-${id}`, 'aria-label': `Discard ${label}`, onclick: () => this.#askToDiscard(parked)}, 'Discard…'));
  }

  async #retry({projection, position}) {
    try {
      const {outcome, error} = await busy(call('audit.retryParked', {projection, position}));
      await Promise.all([this.#loadParked(), this.#loadViews()]);
      announce({
        done: `Position ${position} is in the view ${projection} now.`,
        failed: `Position ${position} failed again: ${plain(error ?? '')}`,
        waits: `Position ${position} waits: ${plain(error ?? '')}.`,
        none: `Position ${position} is not parked any longer.`,
      }[outcome]);
      replace(this.#parts.problem, outcome === 'failed' || outcome === 'waits'
        ? h('p', {class: 'note'}, outcome === 'failed' ? 'It failed again: ' : 'It waits: ', code(error, {max: 400}))
        : null);
    } catch (error) {
      replace(this.#parts.problem, problem(error));
    }
  }

  #askToDiscard({projection, position, name}) {
    const place = h('div');
    const confirm = h('button', {
      type: 'button', class: 'danger',
      onclick: async () => {
        confirm.disabled = true;
        try {
          const {outcome} = await busy(call('audit.discardParked', {projection, position}));
          opened.close();
          announce(outcome === 'discarded' ? `Position ${position} is discarded.` : `Position ${position} is not parked any longer.`);
          await Promise.all([this.#loadParked(), this.#loadViews()]);
        } catch (error) {
          confirm.disabled = false;
          replace(place, problem(error));
        }
      },
    }, 'Discard');
    const opened = dialog('Discard this event?', [
      h('p', null, `The view ${plain(projection)} stays without position ${count(position)} (${plain(name.replace(/^gatebook\./, ''))}) until it is rebuilt. The journal keeps the event.`),
      place,
      h('div', {class: 'dialog-actions'}, confirm, h('button', {type: 'button', onclick: () => opened.close()}, 'Cancel')),
    ]);
    confirm.focus();
  }

  #showSources() {
    const {sources} = this.#status;
    replace(this.#parts.sources, sources?.length > 0
      ? [h('p', {class: 'muted'}, 'Since this node was started.'), table([
        {label: 'Source', isHeader: true, class: 'clip-cell', cell: it => code(it.id, {max: 60})},
        {label: 'Kind', cell: it => plain(it.kind)},
        {label: 'State', cell: it => statusBadge(!it.enabled ? 'disabled' : it.failing ? 'failing' : 'enabled')},
        {label: 'Attempts', numeric: true, cell: it => count(it.calls)},
        {label: 'Failed', numeric: true, cell: it => (it.errors > 0 ? h('span', {class: 'bad'}, count(it.errors)) : count(it.errors))},
        {label: 'Failed of attempts', numeric: true, cell: it => rate(it.errors, it.calls)},
        {label: 'Half within', numeric: true, cell: it => duration(it.p50Millis)},
        {label: '99 % within', numeric: true, cell: it => duration(it.p99Millis)},
      ], sources, {caption: 'Sources', rowKey: it => it.id})]
      : empty('The rules name no source.', 'Calls go to the sources of the rules file.'));
  }

  #showNodes() {
    const {nodes, node} = this.#status;
    replace(this.#parts.nodes, nodes?.length > 0
      ? table([
        {label: 'Node', isHeader: true, class: 'clip-cell', cell: it => [code(it.name, {max: 60}), it.name === node && h('span', {class: 'muted'}, ' this one')]},
        {label: 'Last event', cell: it => [time(it.lastEventAt), it.lastEventAt && h('span', {class: 'muted'}, ` ${ago(it.lastEventAt)}`)]},
      ], nodes, {caption: 'Nodes that have written into this journal', rowKey: it => it.name})
      : h('p', {class: 'muted'}, 'This node knows of no other.'));
  }

  #showWitnesses() {
    const {witnesses, witness} = this.#status;
    replace(this.#parts.witnesses,
      facts([
        ['Cosigned by a quorum', witnesses && cosignedAt(witnesses.cosigned)],
        ['This node is a witness', witness && ['as ', code(witness.name, {max: 60}), `, of ${counted(witness.logs.length, 'log')}`]],
      ]),
      witnesses
        ? table([
          {label: 'Witness', isHeader: true, class: 'clip-cell', cell: it => code(it.name, {max: 60})},
          {label: 'Cosigned', cell: it => cosignedAt(it.cosigned)},
          {label: 'Failure', class: 'why-cell', cell: it => it.failure && h('span', {class: 'bad'}, plain(it.failure))},
        ], witnesses.witnesses, {caption: 'Witnesses of this log', rowKey: it => it.key})
        : h('p', {class: 'muted'}, 'The rules name no witnesses of this log.'));
  }

  #showDisk() {
    const {disk} = this.#status;
    if (!disk) {
      replace(this.#parts.disk, h('p', {class: 'muted'}, 'The journal is not on a disk of this node.'));
      return;
    }
    const {freeBytes, totalBytes, journalBytes, viewsBytes, growthBytesPerDay} = disk;
    replace(this.#parts.disk,
      totalBytes > 0 && diskBar(disk),
      facts([
        ['Free', known(freeBytes) && `${bytes(freeBytes)} of ${bytes(totalBytes)}`],
        ['Journal', known(journalBytes) && bytes(journalBytes)],
        ['Views', known(viewsBytes) && bytes(viewsBytes)],
        ['Growth', known(growthBytesPerDay) ? `${bytes(Math.round(growthBytesPerDay))} a day${fullIn(disk)}` : h('span', {class: 'muted'}, 'not known yet')],
      ]));
  }
}

function section(heading, ...children) {
  return h('section', {class: 'section'}, h('h2', null, heading), children);
}

function cosignedAt(cosigned) {
  return cosigned
    ? [`at position ${count(cosigned.position)}, `, time(cosigned.at)]
    : h('span', {class: 'muted'}, 'none yet');
}

function stat(name, value) {
  return h('div', null, h('dt', null, name), h('dd', null, value));
}

function known(value) {
  return value !== null && value !== undefined;
}

const DURABILITIES = {
  power: 'events survive a power failure: each batch is forced to the disk before anybody is answered',
  process: 'events survive the end of the process, not always a power failure',
};

const VIEW_STATES = {
  'up-to-date': ['is-ok', 'up to date'],
  'catching-up': ['is-wait', 'catching up'],
  making: ['is-wait', 'being made; it cannot be asked yet'],
  failing: ['is-bad', 'failing; it is tried again'],
  stopped: ['is-bad', 'stopped'],
};

function viewState({state}) {
  const [style, words] = VIEW_STATES[state] ?? ['is-none', state];
  return h('span', {class: `status ${style}`}, plain(words));
}

function rebuildOf({name, replay, lastReplay}) {
  if (replay) {
    const all = Math.max(1, replay.target - replay.from);
    const done = Math.min(all, Math.max(0, replay.position - replay.from));
    return [
      h('progress', {value: done, max: all, 'aria-label': `Rebuild of ${name}`}),
      ' ', h('span', {class: 'num'}, `${Math.floor((100 * done) / all)} %`),
      h('span', {class: 'muted num'}, ` ${counted(replay.eventsPerSecond, 'event')}/s${known(replay.secondsLeft) ? `, ${duration(replay.secondsLeft * 1_000)} left` : ''}`),
      replay.failure && h('p', {class: 'bad'}, plain(replay.failure)),
    ];
  }
  if (!lastReplay) {
    return h('span', {class: 'none'}, '–');
  }
  const took = millisOf(lastReplay.endedAt) - millisOf(lastReplay.startedAt);
  return [
    h('span', {class: lastReplay.outcome === 'failed' ? 'bad' : 'muted'}, `${plain(lastReplay.outcome)} `),
    time(lastReplay.endedAt), h('span', {class: 'muted num'}, ` in ${duration(took)}`),
    lastReplay.error && h('p', {class: 'bad'}, plain(lastReplay.error)),
  ];
}

function belongsTo({callId, treeId}) {
  if (callId) {
    return link(['call', callId], {}, 'call');
  }
  return treeId ? link(['tree', treeId], {}, 'tree') : h('span', {class: 'none'}, '–');
}

function rate(part, all) {
  return all > 0 && known(part) ? `${((100 * part) / all).toFixed(part === 0 ? 0 : 2)} %` : '–';
}

/** The use of the disk, drawn to scale: the journal, the views, all else, and free space. */
function diskBar({freeBytes, totalBytes, journalBytes, viewsBytes}) {
  const parts = [
    ['journal', journalBytes ?? 0],
    ['views', viewsBytes ?? 0],
    ['other', Math.max(0, totalBytes - freeBytes - (journalBytes ?? 0) - (viewsBytes ?? 0))],
  ];
  return h('div', {class: 'disk-bar', role: 'img', 'aria-label': `${bytes(freeBytes)} of ${bytes(totalBytes)} are free`},
    parts.map(([name, size]) => h('span', {class: `is-${name}`, title: `${name} ${bytes(size)}`, style: {width: `${(100 * size) / totalBytes}%`}})));
}

function fullIn({freeBytes, growthBytesPerDay}) {
  if (!(growthBytesPerDay > 0) || !known(freeBytes)) {
    return '';
  }
  const days = freeBytes / growthBytesPerDay;
  return days > 3_650 ? '; there is room for more than ten years' : `; there is room for ${counted(Math.floor(days), 'day')}`;
}

/** The result of a verification. */
function reportOf({clean, failing, accepted, notTold, totals, counts, findings, verifierKey, read, stamped}) {
  return h('div', null,
    h('p', {class: 'verdict'}, h('span', {class: `status ${clean ? 'is-ok' : 'is-bad'}`}, clean
      ? 'The journal is unaltered.'
      : `The journal was altered: ${counted(failing, 'finding')}.`)),
    facts([
      ['Events', `${count(totals.events)}, up to position ${count(totals.lastPosition)}`],
      ['Checkpoints', `${count(totals.checkpoints)}; the newest covers ${counted(totals.newestCheckpointSize, 'event')}, ${count(totals.notCovered)} came after it`],
      ['Read', stamped.stamps > 0 && `${counted(read.events, 'event')}; the other ${count(stamped.events)} were verified before, as stamps say, the oldest of ${localText(stamped.oldestAt, 'time')}`],
      ['Root', code(totals.root)],
      ['Key', code(verifierKey)],
      ['Accepted', accepted > 0 && counted(accepted, 'finding')],
    ]),
    findings.length > 0 && table([
      {label: 'Kind', isHeader: true, cell: it => plain(it.kind)},
      {label: 'What', class: 'why-cell', cell: it => plain(it.message)},
      {label: 'Accepted', cell: it => (it.accepted ? [code(it.accepted.operator, {max: 40}), ': ', plain(it.accepted.reason)] : h('span', {class: 'bad'}, 'no'))},
    ], findings, {caption: 'Findings', rowKey: (it, index) => index}),
    notTold > 0 && h('p', {class: 'note'}, `${counted(notTold, 'more finding')} are not listed: ${Object.entries(counts).map(([kind, n]) => `${plain(kind)} ${count(n)}`).join(', ')}.`));
}
