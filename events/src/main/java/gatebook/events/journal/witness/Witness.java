package gatebook.events.journal.witness;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.CosigningKey;
import gatebook.events.journal.checkpoint.LogCheckpoint;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.tree.ConsistencyProof;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;

/**
 * A witness by the C2SP protocol tlog-witness: cosigns a checkpoint of a known log when it
 * continues the newest one that it cosigned of that log. It stores the checkpoint durably before it
 * answers, and of two requests at the same time one finds what the other stored.
 */
public final class Witness {
  private final CosigningKey key;
  private final CosignedCheckpoints cosigned;
  private final InstantSource clock;

  public Witness(CosigningKey key, CosignedCheckpoints cosigned, InstantSource clock) {
    this.key = key;
    this.cosigned = cosigned;
    this.clock = clock;
  }

  /** The newest checkpoint that was cosigned of a log, by the hash of its origin. */
  public Optional<String> newest(String log, WitnessedLogs logs) throws IOException {
    return logs.has(log) ? cosigned.read(log) : Optional.empty();
  }

  /** Answers a request to cosign a checkpoint; blocks. */
  public WitnessAnswer add(byte[] body, WitnessedLogs logs) throws IOException {
    return switch (AddCheckpoint.read(body)) {
      case AddCheckpoint.Reading.Malformed(String why) -> new WitnessAnswer.Malformed(why);
      case AddCheckpoint.Reading.Read(AddCheckpoint request) -> add(request, logs);
    };
  }

  private WitnessAnswer add(AddCheckpoint request, WitnessedLogs logs) throws IOException {
    String note = new String(request.note(), UTF_8);
    String origin = note.lines().findFirst().orElse("");
    return switch (LogCheckpoint.open(request.note(), logs.keysOf(origin))) {
      case OpenedNote.Valid<LogCheckpoint>(LogCheckpoint checkpoint, _) -> add(request, checkpoint);
      case OpenedNote.Malformed<LogCheckpoint>(int line, String why) ->
          new WitnessAnswer.Malformed("line %d of the checkpoint: %s".formatted(line, why));
      case OpenedNote.UnknownKey<LogCheckpoint> _ when logs.keysOf(origin).isEmpty() ->
          new WitnessAnswer.UnknownLog();
      case OpenedNote.UnknownKey<LogCheckpoint> _,
          OpenedNote.WrongSignature<LogCheckpoint> _,
          OpenedNote.NotInForce<LogCheckpoint> _ ->
          new WitnessAnswer.Untrusted();
    };
  }

  private WitnessAnswer add(AddCheckpoint request, LogCheckpoint submitted) throws IOException {
    Checkpoint next = submitted.checkpoint();
    if (request.old() > next.size()) {
      return new WitnessAnswer.Malformed("the old size is greater than that of the checkpoint");
    }
    String log = WitnessedLogs.hash(next.origin());
    while (true) {
      Optional<String> before = cosigned.read(log);
      Checkpoint seen =
          before.isPresent()
              ? read(before.get(), next.origin())
              : new Checkpoint(next.origin(), 0, ConsistencyProof.emptyRoot());
      if (request.old() != seen.size()) {
        return new WitnessAnswer.OtherSize(seen.size());
      }
      Optional<WitnessAnswer> refusal = refusal(request, seen, next);
      if (refusal.isPresent()) {
        return refusal.get();
      }
      String line = key.cosign(submitted.text(), clock.instant());
      String after = submitted.text() + "\n" + submitted.signatures() + line;
      if (cosigned.replace(log, before, after)) {
        return new WitnessAnswer.Cosigned(line);
      }
    }
  }

  private static Optional<WitnessAnswer> refusal(
      AddCheckpoint request, Checkpoint seen, Checkpoint next) {
    ConsistencyProof proof = new ConsistencyProof(seen.size(), next.size(), request.proof());
    if (proof.proves(seen.root(), next.root())) {
      return Optional.empty();
    }
    return Optional.of(
        new WitnessAnswer.Inconsistent(
            next.origin(),
            next.size(),
            seen.size() == next.size()
                ? "the root is not the one that was cosigned with this size"
                : "the proof does not lead from the size %d to this root".formatted(seen.size())));
  }

  /** What this witness stored is not checked again: whoever writes it can also remove it. */
  private static Checkpoint read(String note, String origin) throws IOException {
    return Checkpoint.ofNote(note)
        .filter(checkpoint -> checkpoint.origin().equals(origin))
        .orElseThrow(() ->
            new IOException(
                "the cosigned checkpoint of %s cannot be read: restore its newest state, since without it a fork could be cosigned"
                    .formatted(origin)));
  }
}
