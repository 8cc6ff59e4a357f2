package gatebook.api.operator.tail;

import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.operator.rpc.HiddenArguments;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.OperatorAudit;
import gatebook.api.operator.tail.TailAdmission.Reason;
import gatebook.api.operator.tail.TailAdmission.Refused;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.command.rules.Limit;
import gatebook.events.OperatorActed;
import gatebook.events.journal.Journal;
import gatebook.events.vocabulary.EventVocabulary;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The readers of the tail on this node, at most as many as the limits allow. */
public final class TailReaders {
  private static final Logger LOG = LoggerFactory.getLogger(TailReaders.class);
  static final String METHOD = "operator.tail";

  private final Journal journal;
  private final OperatorAudit operatorAudit;
  private final HiddenArguments hiddenArguments;
  private final EventVocabulary eventVocabulary;
  private final Set<TailReader> readers = new HashSet<>();
  private boolean stopped;

  public TailReaders(
      Journal journal,
      EventVocabulary eventVocabulary,
      OperatorAudit operatorAudit,
      HiddenArguments hiddenArguments) {
    this.journal = journal;
    this.eventVocabulary = eventVocabulary;
    this.hiddenArguments = hiddenArguments;
    this.operatorAudit = operatorAudit;
  }

  /**
   * A connection that requests the tail, with its operator and the limits in force.
   *
   * @param isStillPermitted whether the operator still has the token or the session of the request,
   *     and the same roles
   */
  public record TailConnection(
      Operator operator,
      BooleanSupplier isStillPermitted,
      GatewayLimits limits,
      CallerConnection callerConnection) {}

  /**
   * Admits or refuses a reader; the request is recorded before it is answered. May block.
   *
   * @param query the parameters of the request
   * @param lastSeen the position of the last event received before a reconnect
   */
  public TailAdmission follow(
      Map<String, List<String>> query, Optional<String> lastSeen, TailConnection tailConnection) {
    return switch (TailFilter.read(query, lastSeen, eventVocabulary.names())) {
      case TailFilter.Reading.Invalid(var sentence) ->
          new Refused(Reason.INVALID_REQUEST, sentence);
      case TailFilter.Reading.Read(var filter) -> follow(filter, tailConnection);
    };
  }

  private TailAdmission follow(TailFilter filter, TailConnection tailConnection) {
    if (!tailConnection.operator().has(Role.VIEW)) {
      return forbidden(filter, tailConnection.operator());
    }
    return switch (operatorAudit.record(acted(filter, tailConnection.operator(), true))) {
      case OperatorAudit.Recording.NotRecorded(var reason) ->
          new Refused(
              Reason.NOT_NOW,
              "events are shown only when the request can be recorded, and the journal refuses it: "
                  + reason);
      case OperatorAudit.Recording.Recorded(var position) ->
          admit(filter, tailConnection, filter.after().orElse(position))
              .<TailAdmission>map(TailAdmission.Following::new)
              .orElseGet(() -> full(tailConnection.limits()));
    };
  }

  private Optional<TailReader> admit(TailFilter filter, TailConnection tailConnection, long after) {
    TailReader reader =
        new TailReader(
            journal,
            new TailEvents(
                journal, eventVocabulary, filter, tailConnection.operator(), hiddenArguments),
            after,
            Duration.ofMillis(tailConnection.limits().get(Limit.TAIL_STALLED_MILLIS_MAX)),
            new TailReader.ReaderConnection() {
              @Override
              public boolean isPermitted() {
                return tailConnection.isStillPermitted().getAsBoolean();
              }

              @Override
              public void release(TailReader it) {
                remove(it);
              }

              @Override
              public void disconnect() {
                tailConnection.callerConnection().close();
              }
            });
    if (!add(reader, tailConnection.limits().getInt(Limit.TAIL_READERS_MAX))) {
      return Optional.empty();
    }
    // the client may disconnect before anything is sent
    tailConnection.callerConnection().onDisconnect(_ -> reader.cancel());
    return Optional.of(reader);
  }

  private synchronized boolean add(TailReader reader, int readersMax) {
    return !stopped && readers.size() < readersMax && readers.add(reader);
  }

  private synchronized void remove(TailReader reader) {
    readers.remove(reader);
  }

  /** Ends all readers and admits no others. */
  public void stop() {
    List<TailReader> all;
    synchronized (this) {
      stopped = true;
      all = List.copyOf(readers);
    }
    all.forEach(TailReader::stop);
  }

  private synchronized TailAdmission full(GatewayLimits gatewayLimits) {
    return new Refused(
        Reason.NOT_NOW,
        stopped
            ? "this node is stopping: try again later"
            : "%d tail readers are connected, which is the limit (limits: tail_readers_max): end one of them"
                .formatted(gatewayLimits.get(Limit.TAIL_READERS_MAX)));
  }

  /** The request is refused whether or not the refusal can be recorded. */
  private TailAdmission forbidden(TailFilter filter, Operator operator) {
    if (operatorAudit.record(acted(filter, operator, false))
        instanceof OperatorAudit.Recording.NotRecorded(var why)) {
      LOG.atWarn()
          .addKeyValue("operator", operator.name())
          .addKeyValue("reason", why)
          .log("an operator was refused the tail, and the refusal was not recorded");
    }
    return new Refused(Reason.FORBIDDEN, "this requires the role view: ask an admin");
  }

  private static OperatorActed acted(TailFilter filter, Operator operator, boolean allowed) {
    return new OperatorActed(
        operator.name(), METHOD, filter.json(), filter.callId().orElse(null), allowed);
  }
}
