package gatebook.api.operator;

import gatebook.api.gateway.CallerConnection;
import gatebook.api.operator.TailAdmission.Refused;
import gatebook.api.operator.TailAdmission.Why;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.OperatorActed;
import gatebook.events.journal.Journal;
import gatebook.events.vocabulary.EventVocabulary;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everybody who follows the journal at this node. */
final class TailReaders {
  private static final Logger LOG = LoggerFactory.getLogger(TailReaders.class);
  static final String METHOD = "operator.tail";

  private final Journal journal;
  private final OperatorAudit operatorAudit;
  private final Set<String> names = new EventVocabulary().names();
  private final Set<TailReader> readers = new HashSet<>();
  private boolean stopped;

  TailReaders(Journal journal, OperatorAudit operatorAudit) {
    this.journal = journal;
    this.operatorAudit = operatorAudit;
  }

  /** Who asks, within what limits, and how to hang up on him. */
  record Asker(
      Operator operator, GatewayLimits limits, CallerConnection presence, Runnable hangUp) {}

  /**
   * The answer to one who wants to follow; it is recorded before there is one. May block.
   *
   * @param query the parameters of what he asks for
   * @param lastSeen the position of the last event he saw, if he lost the connection
   */
  TailAdmission answer(Map<String, List<String>> query, Optional<String> lastSeen, Asker asker) {
    return switch (TailFilter.read(query, lastSeen, names)) {
      case TailFilter.Reading.Wrong(var sentence) -> new Refused(Why.WRONG, sentence);
      case TailFilter.Reading.Read(var filter) -> answer(filter, asker);
    };
  }

  private TailAdmission answer(TailFilter filter, Asker asker) {
    if (!asker.operator().has(Role.VIEW)) {
      return forbidden(filter, asker.operator());
    }
    return switch (operatorAudit.record(acted(filter, asker.operator(), true))) {
      case OperatorAudit.Recording.NotRecorded(var reason) ->
          new Refused(
              Why.NOT_NOW,
              "events are shown only when it is recorded who saw them, and the journal cannot: "
                  + reason);
      case OperatorAudit.Recording.Recorded(var position) ->
          admit(filter, asker, filter.after().orElse(position))
              .<TailAdmission>map(TailAdmission.Following::new)
              .orElseGet(() -> full(asker.limits()));
    };
  }

  private Optional<TailReader> admit(TailFilter filter, Asker asker, long after) {
    TailReader reader =
        new TailReader(
            journal,
            new TailEvents(journal, filter, asker.operator()),
            after,
            Duration.ofMillis(asker.limits().tailStalledMillisMax()),
            new TailReader.Leaving() {
              @Override
              public void left(TailReader it) {
                remove(it);
              }

              @Override
              public void hangUp() {
                asker.hangUp().run();
              }
            });
    if (!add(reader, asker.limits().tailReadersMax())) {
      return Optional.empty();
    }
    asker.presence().whenGone(_ -> reader.cancel()); // he may go before he is sent anything
    return Optional.of(reader);
  }

  private synchronized boolean add(TailReader reader, int readersMax) {
    return !stopped && readers.size() < readersMax && readers.add(reader);
  }

  private synchronized void remove(TailReader reader) {
    readers.remove(reader);
  }

  /** Nobody follows any more. */
  void stop() {
    List<TailReader> all;
    synchronized (this) {
      stopped = true;
      all = List.copyOf(readers);
    }
    all.forEach(TailReader::stop);
  }

  private synchronized TailAdmission full(GatewayLimits gatewayLimits) {
    return new Refused(
        Why.NOT_NOW,
        stopped
            ? "this node is stopping: ask again later"
            : "%d follow already, and no more may (limits: tail_readers_max): end one of them"
                .formatted(gatewayLimits.tailReadersMax()));
  }

  /** Refused whether or not that can be recorded. */
  private TailAdmission forbidden(TailFilter filter, Operator operator) {
    if (operatorAudit.record(acted(filter, operator, false))
        instanceof OperatorAudit.Recording.NotRecorded(var why)) {
      LOG.atWarn()
          .addKeyValue("operator", operator.name())
          .addKeyValue("reason", why)
          .log("an operator was refused the tail, and that was not recorded");
    }
    return new Refused(Why.FORBIDDEN, "this takes the role view: ask an admin");
  }

  private static OperatorActed acted(TailFilter filter, Operator operator, boolean allowed) {
    return new OperatorActed(
        operator.name(), METHOD, filter.json(), filter.callId().orElse(null), allowed);
  }
}
