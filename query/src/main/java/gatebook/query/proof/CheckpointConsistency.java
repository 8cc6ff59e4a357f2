package gatebook.query.proof;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.MismatchAccepted;
import gatebook.events.OriginBegun;
import gatebook.events.journal.ProvableJournal;
import gatebook.events.journal.RecordedRotation;
import gatebook.events.journal.TrustEvents;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.ConsistencyFile;
import gatebook.events.journal.checkpoint.KeyHistory;
import gatebook.events.journal.checkpoint.KeyRotation;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.ConsistencyProof;
import gatebook.events.vocabulary.EventVocabulary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.axonframework.messaging.eventstreaming.EventCriteria;

/**
 * Proves that a checkpoint of a journal goes on from an older one, or says why it does not. Blocks;
 * only to say why the whole journal may be read.
 */
public final class CheckpointConsistency {
  private static final int ROTATIONS_MAX = 1_000;
  private static final int PAGE = 1_000;
  private static final EventVocabulary VOCABULARY = new EventVocabulary();

  private final ProvableJournal journal;
  private final KeyHistory keys;

  /**
   * @param trusted the key of the journal, or one that it had before
   */
  public CheckpointConsistency(ProvableJournal journal, VerifierKey trusted) {
    this.journal = journal;
    List<KeyRotation> rotations =
        journal
            .find(EventCriteria.havingTags(RecordedRotation.TAG), 0, Long.MAX_VALUE, ROTATIONS_MAX)
            .stream()
            .flatMap(entry -> RecordedRotation.of(entry).stream())
            .toList();
    this.keys = KeyHistory.of(List.of(trusted), rotations);
  }

  /** Ends at the first reason why there is no proof. */
  private static final class NotProven extends Exception {
    private static final long serialVersionUID = 1L;

    NotProven(String sentence) {
      super(sentence, null, false, false);
    }
  }

  /**
   * Proves it from the stored checkpoint over so many events.
   *
   * @param newer the note of the other one; the newest checkpoint when it is empty
   */
  public ConsistencyResult prove(long size, Optional<String> newer) {
    return journal
        .checkpointOver(size)
        .map(stored -> prove(stored.note(), newer))
        .orElseGet(() ->
            new ConsistencyResult.NotProven(
                "the journal has no checkpoint over %d events".formatted(size)));
  }

  /** Proves it from the checkpoint of a note, which may have been kept anywhere. */
  public ConsistencyResult prove(String older, Optional<String> newer) {
    try {
      StoredCheckpoint newest =
          journal
              .newestCheckpoint()
              .orElseThrow(() -> new NotProven("the journal has no checkpoint yet"));
      Checkpoint from = open("older", older);
      String noteTo = newer.orElse(newest.note());
      Checkpoint to = open("newer", noteTo);
      if (from.size() > to.size()) {
        throw new NotProven(
            "the older checkpoint is over %d events, and the newer one over %d"
                .formatted(from.size(), to.size()));
      }
      if (to.size() > newest.size()) {
        throw new NotProven(
            "a checkpoint is over %d events, and the newest of the journal is over %d: the journal was put back"
                .formatted(to.size(), newest.size()));
      }
      if (!from.origin().equals(to.origin())) {
        throw new NotProven(ofAnotherOrigin(from, to, newest.size()));
      }
      ConsistencyProof proof = journal.consistency(from.size(), to.size());
      if (!proof.proves(from.root(), to.root())) {
        throw new NotProven(disagreement(from, newest.size()));
      }
      return new ConsistencyResult.Proven(
          from.size(), to.size(), new ConsistencyFile(proof.hashes(), older, noteTo));
    } catch (NotProven e) {
      return new ConsistencyResult.NotProven(String.valueOf(e.getMessage()));
    }
  }

  private Checkpoint open(String which, String note) throws NotProven {
    OpenedNote<Checkpoint> opened = keys.open(note.getBytes(UTF_8));
    if (opened instanceof OpenedNote.Valid<Checkpoint>(Checkpoint checkpoint, VerifierKey key)
        && checkpoint.origin().equals(key.name())) {
      return checkpoint;
    }
    throw new NotProven("the %s checkpoint %s".formatted(which, flaw(opened)));
  }

  private static String flaw(OpenedNote<Checkpoint> opened) {
    return switch (opened) {
      case OpenedNote.Valid<Checkpoint>(var checkpoint, var key) ->
          "is signed under the name %s, and its origin is %s"
              .formatted(key.name(), checkpoint.origin());
      case OpenedNote.WrongSignature<Checkpoint>(var key) ->
          "was changed: its signature by %s is wrong".formatted(key);
      case OpenedNote.UnknownKey<Checkpoint>(var labels) ->
          "is signed by %s, and by no key of this journal".formatted(String.join(", ", labels));
      case OpenedNote.NotInForce<Checkpoint>(var key, var size, var inForce) ->
          "is signed by %s, and over %d events %s was the key".formatted(key, size, inForce);
      case OpenedNote.Malformed<Checkpoint>(var line, var reason) ->
          "is none: in line %d %s".formatted(line, reason);
    };
  }

  private String ofAnotherOrigin(Checkpoint from, Checkpoint to, long size) {
    String between =
        "there is no proof from the origin %s to %s".formatted(from.origin(), to.origin());
    List<Entry> statements = statements(size);
    Optional<String> acceptance = acceptance(statements);
    for (Entry entry : statements) {
      Optional<OriginBegun> begun = VOCABULARY.readIfPossible(entry, OriginBegun.class);
      if (begun.filter(it -> it.oldOrigin().equals(from.origin())).isPresent()) {
        return acceptanceAt(statements, begun.get().treeSize())
            .map(accepted -> between + ": " + accepted)
            .orElseGet(() ->
                "%s: the log goes on under another origin since %s, because: %s"
                    .formatted(between, entry.at(), begun.get().reason()));
      }
    }
    return acceptance.isPresent()
        ? between + ": " + acceptance.get()
        : "the older checkpoint is of another journal, " + from.origin();
  }

  private String disagreement(Checkpoint from, long size) {
    return acceptance(statements(size))
        .orElseGet(() ->
            "the journal does not go on from the older checkpoint, which is over other %d events than it has: verify says what was edited"
                .formatted(from.size()));
  }

  private static Optional<String> acceptance(List<Entry> statements) {
    return statements.reversed().stream().flatMap(entry -> accepted(entry).stream()).findFirst();
  }

  /** The acceptance of the events up to where an origin begins. */
  private static Optional<String> acceptanceAt(List<Entry> statements, long treeSize) {
    return statements.stream()
        .filter(entry ->
            VOCABULARY
                .readIfPossible(entry, MismatchAccepted.class)
                .filter(it -> it.treeSize() == treeSize)
                .isPresent())
        .flatMap(entry -> accepted(entry).stream())
        .findFirst();
  }

  private static Optional<String> accepted(Entry entry) {
    return VOCABULARY
        .readIfPossible(entry, MismatchAccepted.class)
        .map(it ->
            "inconsistent, accepted at %s by %s because: %s"
                .formatted(entry.at(), it.operator(), it.reason()));
  }

  /** What the journal says about its origins and mismatches. */
  private List<Entry> statements(long size) {
    List<Entry> statements = new ArrayList<>();
    for (long after = 0; after < size; after += PAGE) {
      journal.find(null, after, Math.min(size, after + PAGE), PAGE).stream()
          .filter(entry -> TrustEvents.NAMES.contains(entry.name()))
          .forEach(statements::add);
    }
    return statements;
  }
}
