package gatebook.events.journal;

import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.CheckpointKeys;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Rotates the checkpoint key of an open journal. */
public final class CheckpointKeyRotation {
  private final CheckpointKeys keys;
  private final Path keyFile;
  private final boolean isShared;
  private final Appender appender;

  /** The result of a rotation. */
  public sealed interface Outcome {

    /** The new key signs. */
    record Rotated(long position, VerifierKey oldKey, VerifierKey newKey) implements Outcome {}

    /**
     * The new key is in a file. The nodes that share the journal need it before it is used, by
     * rotating again.
     */
    record Prepared(VerifierKey newKey, Path file) implements Outcome {}

    /** The old key signs, or the journal is in doubt; the sentence says why. */
    record NotRotated(String why) implements Outcome {}
  }

  /** Makes the event that records the rotation. */
  @FunctionalInterface
  public interface Statement {
    DraftEvent of(VerifierKey oldKey, VerifierKey newKey);
  }

  @FunctionalInterface
  interface Appender {
    CompletableFuture<Append> append(DraftEvent statement, KeyIntroduction introduction);
  }

  CheckpointKeyRotation(CheckpointKeys keys, Path keyFile, boolean isShared, Appender appender) {
    this.keys = keys;
    this.keyFile = keyFile;
    this.isShared = isShared;
    this.appender = appender;
  }

  /** Returns when the new key is introduced by a checkpoint that is durable; blocks. */
  public synchronized Outcome rotate(Statement statement) {
    Path file = CheckpointKey.fileOfNext(keyFile);
    boolean isNew = Files.notExists(file);
    return switch (CheckpointKey.loadOrCreate(file, keys.verifier().name())) {
      case LoadedKey.Refused<CheckpointKey>(String why) -> new Outcome.NotRotated(why);
      case LoadedKey.Key<CheckpointKey>(CheckpointKey next) when isShared && isNew ->
          new Outcome.Prepared(next.verifier(), file);
      case LoadedKey.Key<CheckpointKey>(CheckpointKey next) -> rotate(statement, next);
    };
  }

  private Outcome rotate(Statement statement, CheckpointKey next) {
    VerifierKey oldKey = keys.verifier();
    VerifierKey newKey = next.verifier();
    Append append =
        appender.append(statement.of(oldKey, newKey), new KeyIntroduction(oldKey, next)).join();
    return switch (append) {
      case Append.Stored stored -> new Outcome.Rotated(stored.first(), oldKey, newKey);
      case Append.Refused refused -> new Outcome.NotRotated(refused.reason());
      case Append.Conflict _ -> throw new IllegalStateException("a conflict without a condition");
    };
  }
}
