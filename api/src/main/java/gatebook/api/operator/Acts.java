package gatebook.api.operator;

import gatebook.events.OperatorActed;
import gatebook.events.journal.Append;
import gatebook.events.journal.Condition;
import gatebook.events.journal.Journal;
import gatebook.events.vocabulary.Vocabulary;
import java.time.InstantSource;
import java.util.List;

/** Records what operators do. */
public final class Acts {
  private final Journal journal;
  private final InstantSource clock;
  private final Vocabulary vocabulary = new Vocabulary();

  /** What recording ends in. */
  public sealed interface Recording {
    record Recorded(long position) implements Recording {}

    record NotRecorded(String reason) implements Recording {}
  }

  public Acts(Journal journal, InstantSource clock) {
    this.journal = journal;
    this.clock = clock;
  }

  /** Returns when it is durable; may block. */
  public Recording record(OperatorActed acted) {
    Append append =
        journal.append(Condition.none(), List.of(vocabulary.draft(acted, clock.instant()))).join();
    return switch (append) {
      case Append.Stored stored -> new Recording.Recorded(stored.last());
      case Append.Refused refused -> new Recording.NotRecorded(refused.reason());
      case Append.Conflict _ -> throw new IllegalStateException("a conflict without a condition");
    };
  }
}
