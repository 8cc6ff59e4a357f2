package gatebook.events.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.KeyHistory;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.EntrySelection;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StorageWriter;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The check at start: from the newest checkpoint on, the rows lead to the stored right edge, and
 * nothing that was signed is missing.
 *
 * <p>It reads only the rows after the newest checkpoint. Older rows are checked by the full
 * verification.
 */
final class StartCheck {
  private static final int PAGE = 1_000;

  private final StorageWriter storageWriter;
  private final RightEdge edge;
  private final @Nullable StoredCheckpoint newest;
  private final KeyHistory keys;
  private final byte @Nullable [] fileNote;
  private final long acknowledged;
  private volatile long checkedUpTo;

  StartCheck(
      StorageWriter storageWriter,
      RightEdge edge,
      @Nullable StoredCheckpoint newest,
      KeyHistory keys,
      byte @Nullable [] fileNote,
      long acknowledged) {
    this.storageWriter = storageWriter;
    this.edge = edge;
    this.newest = newest;
    this.keys = keys;
    this.fileNote = fileNote;
    this.acknowledged = acknowledged;
  }

  @Nullable String disagreement() throws StorageFailure {
    long from = newest == null ? 0 : newest.size();
    checkedUpTo = from;
    try (SlowOperation _ =
        SlowOperation.start(() ->
            String.format(
                Locale.ROOT,
                "checking %,d of %,d events since the newest checkpoint",
                checkedUpTo - from,
                edge.size() - from))) {
      check();
      return null;
    } catch (Disagreement e) {
      return e.getMessage();
    }
  }

  private void check() throws StorageFailure, Disagreement {
    RightEdge trusted = newest == null ? emptyEdge() : edgeOf(newest);
    if (trusted.size() > edge.size()) {
      throw new Disagreement(
          "a checkpoint covers %d events and the right edge only %d"
              .formatted(trusted.size(), edge.size()));
    }
    if (fileNote != null) {
      checkFile(open(fileNote, "the checkpoint file"), trusted);
    }
    follow(trusted, edge.size());
    if (!Arrays.equals(trusted.bytes(), edge.bytes())) {
      throw new Disagreement(
          "the rows after the newest checkpoint do not lead to the stored right edge");
    }
    if (acknowledged > edge.size()) {
      throw new Disagreement(
          "%d events were acknowledged and the journal holds %d"
              .formatted(acknowledged, edge.size()));
    }
    if (storageWriter.lastPosition() != edge.size()) {
      throw new Disagreement(
          "there are rows up to position %d and the right edge says %d"
              .formatted(storageWriter.lastPosition(), edge.size()));
    }
  }

  private RightEdge emptyEdge() throws Disagreement {
    if (edge.size() > 0) {
      throw new Disagreement(
          "no checkpoint is in the journal, where one was signed before the first event");
    }
    return new RightEdge();
  }

  private RightEdge edgeOf(StoredCheckpoint stored) throws Disagreement {
    Checkpoint checkpoint = open(stored.note().getBytes(UTF_8), "checkpoint " + stored.number());
    RightEdge trusted =
        RightEdge.restored(stored.size(), stored.hashes())
            .orElseThrow(
                () -> new Disagreement("checkpoint %d has no edge".formatted(stored.number())));
    if (checkpoint.size() != stored.size() || !Arrays.equals(checkpoint.root(), trusted.root())) {
      throw new Disagreement(
          "checkpoint %d is stored with an edge it was not signed over".formatted(stored.number()));
    }
    return trusted;
  }

  private Checkpoint open(byte[] note, String which) throws Disagreement {
    return switch (keys.open(note)) {
      case OpenedNote.Valid<Checkpoint>(Checkpoint checkpoint, VerifierKey by) -> {
        if (!checkpoint.origin().equals(by.name())) {
          throw new Disagreement(
              "%s is of another journal, %s".formatted(which, checkpoint.origin()));
        }
        yield checkpoint;
      }
      case OpenedNote.WrongSignature<Checkpoint> _ ->
          throw new Disagreement(which + " has a wrong signature");
      case OpenedNote.UnknownKey<Checkpoint>(List<String> signers) ->
          throw new Disagreement(
              "%s was signed by %s and not by %s: nodes that share a journal share the key file"
                  .formatted(which, String.join(", ", signers), keys.trusted().getFirst().label()));
      case OpenedNote.NotInForce<Checkpoint>(String signer, long size, String inForce) ->
          throw new Disagreement(
              "%s over %d events was signed by %s, where %s signs: a key that was replaced signs nothing"
                  .formatted(which, size, signer, inForce));
      case OpenedNote.Malformed<Checkpoint>(int line, String why) ->
          throw new Disagreement("%s is damaged in line %d: %s".formatted(which, line, why));
    };
  }

  /** The file may be newer than the database's checkpoints only if those were removed. */
  private void checkFile(Checkpoint fromFile, RightEdge trusted)
      throws StorageFailure, Disagreement {
    if (fromFile.size() > edge.size()) {
      throw new Disagreement(
          "the checkpoint file covers %d events and the journal holds %d"
              .formatted(fromFile.size(), edge.size()));
    }
    if (fromFile.size() > trusted.size()) {
      follow(trusted, fromFile.size());
      requireRoot(trusted.root(), fromFile);
    } else {
      StoredCheckpoint same = storageWriter.checkpointOver(fromFile.size());
      if (same != null) {
        requireRoot(edgeOf(same).root(), fromFile);
      }
    }
  }

  private static void requireRoot(byte[] root, Checkpoint fromFile) throws Disagreement {
    if (!Arrays.equals(root, fromFile.root())) {
      throw new Disagreement(
          "the checkpoint file has another root for the first %d events"
              .formatted(fromFile.size()));
    }
  }

  private void follow(RightEdge trusted, long upTo) throws StorageFailure, Disagreement {
    LeafHasher hasher = new LeafHasher();
    while (trusted.size() < upTo) {
      List<Entry> page =
          storageWriter.read(new EntrySelection.Everything(), trusted.size(), upTo, PAGE);
      if (page.isEmpty()) {
        throw new Disagreement("no row has position " + (trusted.size() + 1));
      }
      for (Entry entry : page) {
        if (entry.position() != trusted.size() + 1) {
          throw new Disagreement("no row has position " + (trusted.size() + 1));
        }
        trusted.append(hasher.leaf(entry));
      }
      checkedUpTo = trusted.size();
    }
  }

  /** Ends the check at the first disagreement; never leaves this class. */
  private static final class Disagreement extends Exception {
    @java.io.Serial private static final long serialVersionUID = 1L;

    Disagreement(String what) {
      super(what, null, false, false);
    }
  }
}
