package gatebook.api.operator.rpc;

import gatebook.command.redact.Scrubber;
import gatebook.events.OperatorActed;
import gatebook.events.call.JsonValue;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.vocabulary.EventVocabulary;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records the requests of operators in the journal, as an audit trail. */
public final class OperatorAudit {
  private static final Logger LOG = LoggerFactory.getLogger(OperatorAudit.class);

  private static final Scrubber PARAMS = Scrubber.BUILT_IN.keepingIds();

  private final Journal journal;
  private final InstantSource clock;
  private final EventVocabulary eventVocabulary;

  /** The outcome of recording. */
  public sealed interface Recording {
    /**
     * The request is durable, or logged where the journal is a restored one.
     *
     * @param position of the newest event
     */
    record Recorded(long position) implements Recording {}

    record NotRecorded(String reason) implements Recording {}
  }

  public OperatorAudit(Journal journal, EventVocabulary eventVocabulary, InstantSource clock) {
    this.journal = journal;
    this.eventVocabulary = eventVocabulary;
    this.clock = clock;
  }

  /** Records a request without the secrets in its params. Returns when it is durable; may block. */
  public Recording record(OperatorActed acted) {
    Append append =
        journal
            .append(
                ConflictCondition.none(),
                List.of(eventVocabulary.draft(scrubbed(acted), clock.instant())))
            .join();
    return switch (append) {
      case Append.Stored stored -> new Recording.Recorded(stored.last());
      case Append.ReadOnly _ -> logged(acted);
      case Append.Refused refused -> new Recording.NotRecorded(refused.reason());
      case Append.Conflict _ -> throw new IllegalStateException("a conflict without a condition");
    };
  }

  /** Nothing is recorded in a restored journal until it goes on, and all of it may be looked at. */
  private Recording logged(OperatorActed acted) {
    LOG.atInfo()
        .addKeyValue("operator", acted.operator())
        .addKeyValue("method", acted.method())
        .addKeyValue("call_id", acted.callId())
        .addKeyValue("allowed", acted.allowed())
        .log("an operator request to a restored journal, which does not record it");
    return new Recording.Recorded(journal.head());
  }

  private static OperatorActed scrubbed(OperatorActed acted) {
    JsonValue params = acted.params();
    return params == null
        ? acted
        : new OperatorActed(
            acted.operator(),
            acted.method(),
            PARAMS.scrub(params),
            acted.callId(),
            acted.allowed());
  }
}
