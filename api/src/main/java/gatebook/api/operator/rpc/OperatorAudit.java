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

/** Records the requests of operators in the journal, as an audit trail. */
public final class OperatorAudit {
  private static final Scrubber PARAMS = Scrubber.BUILT_IN.keepingIds();

  private final Journal journal;
  private final InstantSource clock;
  private final EventVocabulary eventVocabulary;

  /** The outcome of recording. */
  public sealed interface Recording {
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
      case Append.Refused refused -> new Recording.NotRecorded(refused.reason());
      case Append.Conflict _ -> throw new IllegalStateException("a conflict without a condition");
    };
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
