package gatebook.events.journal.witness;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.CosignatureRefused;
import gatebook.events.Event;
import gatebook.events.RollbackFound;
import gatebook.events.call.Bytes;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.CosignedCheckpoint;
import gatebook.events.journal.checkpoint.LogCheckpoint;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.witness.WitnessConnection.Response;
import gatebook.events.journal.witness.WitnessPolicy.KnownWitness;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Collects the cosignatures of a log's newest checkpoint from witnesses, by the C2SP protocol
 * tlog-witness, and finds what they say against the log: that it shows another history than before,
 * or that it was put back to an older state.
 */
public final class CosignatureCollector {
  /** A witness that moves on meanwhile, as other nodes ask it, is asked again. */
  private static final int ATTEMPTS_MAX = 4;

  private static final String SIZE_TYPE = "text/x.tlog.size";
  private static final int OK = 200;
  private static final int CONFLICT = 409;

  private final Journal journal;
  private final CosignatureStore store;
  private final WitnessConnection connection;
  private final Consumer<Event> recorder;
  private final InstantSource clock;

  /** The witnesses whose refusal is recorded, and that did not cosign since. */
  private final Set<VerifierKey> refusing = ConcurrentHashMap.newKeySet();

  /** The result of asking a witness. */
  public sealed interface Result {
    /** The witness cosigned the newest checkpoint, which is stored. */
    record Cosigned(CosignedCheckpoint checkpoint) implements Result {}

    /**
     * It did not.
     *
     * @param detail for operators
     */
    record Failed(WitnessFailure failure, String detail) implements Result {}

    /** There is nothing to cosign now. */
    record NotAsked() implements Result {}
  }

  /**
   * @param recorder takes what a witness found; the event is durable when it returns, where it can
   *     be stored
   */
  public CosignatureCollector(
      Journal journal,
      CosignatureStore store,
      WitnessConnection connection,
      Consumer<Event> recorder,
      InstantSource clock) {
    this.journal = journal;
    this.store = store;
    this.connection = connection;
    this.recorder = recorder;
    this.clock = clock;
  }

  /** Asks a witness to cosign the newest checkpoint, and stores what it cosigned; blocks. */
  public Result ask(KnownWitness witness, Duration clockDifferenceMax) {
    if (!(journal.state() instanceof JournalState.Writable)) {
      return new Result.NotAsked();
    }
    try {
      return new Asking(witness, clockDifferenceMax).run();
    } catch (IOException e) {
      return failed(WitnessFailure.NOT_KEPT, String.valueOf(e.getMessage()));
    } catch (JournalUnreadable _) {
      return new Result.NotAsked(); // the next time it may be readable
    }
  }

  private static Result.Failed failed(WitnessFailure failure, String detail) {
    return new Result.Failed(failure, detail);
  }

  /** The newest checkpoint that is stored. */
  private record Head(StoredCheckpoint stored, Checkpoint checkpoint) {}

  private Optional<Head> head() {
    return journal
        .newestCheckpoint()
        .flatMap(stored ->
            Checkpoint.ofNote(stored.note()).map(checkpoint -> new Head(stored, checkpoint)));
  }

  /** One witness is asked, until it cosigned or failed. */
  private final class Asking {
    private final KnownWitness witness;
    private final Duration clockDifferenceMax;

    Asking(KnownWitness witness, Duration clockDifferenceMax) {
      this.witness = witness;
      this.clockDifferenceMax = clockDifferenceMax;
    }

    Result run() throws IOException {
      Optional<Head> head = head();
      if (head.isEmpty()) {
        return new Result.NotAsked();
      }
      long old = knownSize(head.get());
      for (int attempt = 1; ; attempt++) {
        Response response = send(old, head.get());
        if (!(response instanceof Response.Answered(int status, String type, byte[] body))) {
          return failed(WitnessFailure.NO_ANSWER, ((Response.Failed) response).why());
        }
        if (status != CONFLICT) {
          return result(status, body, old, head.get());
        }
        Optional<Long> size = size(type, body);
        if (size.isEmpty()) {
          return failed(WitnessFailure.WRONG_ANSWER, "an answer 409 has no size");
        }
        if (size.get() == old) {
          return old == head.get().checkpoint().size()
              ? inconsistent(old, head.get()) // older drafts of the protocol say it so
              : failed(WitnessFailure.WRONG_ANSWER, "an answer 409 has the size that was sent");
        }
        head = head();
        if (head.isEmpty() || attempt == ATTEMPTS_MAX) {
          return failed(WitnessFailure.WRONG_ANSWER, "the size that it has changes all the time");
        }
        old = size.get();
        if (old > head.get().checkpoint().size()) {
          return ahead(old);
        }
      }
    }

    /** The size that the witness has, as far as it is known; what cannot be right is not sent. */
    private long knownSize(Head head) throws IOException {
      return store
          .read(witness.key())
          .map(CosignedCheckpoint::checkpoint)
          .filter(it -> it.origin().equals(head.checkpoint().origin()))
          .map(Checkpoint::size)
          .filter(size -> size <= head.checkpoint().size())
          .orElse(0L);
    }

    private Response send(long old, Head head) {
      AddCheckpoint request =
          new AddCheckpoint(
              old,
              journal.consistency(old, head.checkpoint().size()).hashes(),
              head.stored().note().getBytes(UTF_8));
      return connection.post(path("add-checkpoint"), request.body());
    }

    private URI path(String path) {
      String prefix = witness.url().toString();
      return URI.create(prefix + (prefix.endsWith("/") ? "" : "/") + path);
    }

    private Optional<Long> size(String type, byte[] body) {
      String text = new String(body, UTF_8);
      return type.split(";", -1)[0].strip().equalsIgnoreCase(SIZE_TYPE)
              && text.matches("(0|[1-9][0-9]{0,17})\n")
          ? Optional.of(Long.valueOf(text.strip()))
          : Optional.empty();
    }

    private Result result(int status, byte[] body, long old, Head head) throws IOException {
      return switch (status) {
        case OK -> cosigned(body, head);
        case 400 -> failed(WitnessFailure.MALFORMED, "status 400");
        case 403 -> failed(WitnessFailure.NOT_TRUSTED, "status 403");
        case 404 -> failed(WitnessFailure.UNKNOWN_LOG, "status 404");
        case 413 -> failed(WitnessFailure.TOO_LARGE, "status 413");
        case 422 -> inconsistent(old, head);
        case 429 -> failed(WitnessFailure.TOO_MANY, "status 429");
        default -> {
          boolean isRedirect = status >= 300 && status < 400;
          boolean isBroken = status >= 500;
          yield failed(
              isRedirect
                  ? WitnessFailure.REDIRECT
                  : isBroken ? WitnessFailure.BROKEN : WitnessFailure.WRONG_ANSWER,
              "status " + status);
        }
      };
    }

    private Result cosigned(byte[] lines, Head head) throws IOException {
      String note = head.stored().note() + new String(lines, UTF_8);
      return switch (CosignedCheckpoint.open(note.getBytes(UTF_8), witness.key())) {
        case OpenedNote.Valid<CosignedCheckpoint>(CosignedCheckpoint cosigned, _) ->
            kept(cosigned, head);
        case OpenedNote.Malformed<CosignedCheckpoint> _ ->
            failed(WitnessFailure.WRONG_ANSWER, "the answer has other lines than signatures");
        case OpenedNote.WrongSignature<CosignedCheckpoint>(String key) ->
            failed(WitnessFailure.WRONG_COSIGNATURE, "the cosignature of " + key + " is wrong");
        case OpenedNote.UnknownKey<CosignedCheckpoint> _,
            OpenedNote.NotInForce<CosignedCheckpoint> _ ->
            failed(
                WitnessFailure.WRONG_COSIGNATURE,
                "the answer has no cosignature of " + witness.key().label());
      };
    }

    private Result kept(CosignedCheckpoint cosigned, Head head) throws IOException {
      long difference = cosigned.seconds() - clock.instant().getEpochSecond();
      if (Math.abs(difference) > clockDifferenceMax.toSeconds()) {
        return failed(
            WitnessFailure.WRONG_TIME,
            "the time of the cosignature is %d seconds from now".formatted(difference));
      }
      refusing.remove(witness.key());
      store.keep(witness.key(), cosigned, head.stored().note());
      return new Result.Cosigned(cosigned);
    }

    private Result inconsistent(long old, Head head) {
      Checkpoint checkpoint = head.checkpoint();
      if (refusing.add(witness.key())) {
        recorder.accept(
            new CosignatureRefused(
                witness.key().text(),
                checkpoint.origin(),
                old,
                checkpoint.size(),
                Bytes.of(checkpoint.root())));
      }
      return failed(
          WitnessFailure.INCONSISTENT,
          "the checkpoint of size %d does not go on from the one of size %d that it has"
              .formatted(checkpoint.size(), old));
    }

    /** The witness has a larger checkpoint: this log signed it, or the witness is wrong. */
    private Result ahead(long size) {
      Optional<Head> asked = head();
      if (asked.isEmpty()) {
        return new Result.NotAsked();
      }
      String origin = asked.get().checkpoint().origin();
      if (!(connection.get(path(WitnessedLogs.hash(origin) + "/checkpoint"))
              instanceof Response.Answered(int status, _, byte[] note)
          && status == OK)) {
        return failed(
            WitnessFailure.AHEAD, "it has the size %d, and shows no checkpoint".formatted(size));
      }
      List<VerifierKey> keys =
          journal.keyHistory().keys().stream().map(it -> it.named(origin)).distinct().toList();
      long known = head().map(it -> it.checkpoint().size()).orElse(Long.MAX_VALUE);
      if (LogCheckpoint.open(note, keys)
              instanceof OpenedNote.Valid<LogCheckpoint>(LogCheckpoint shown, _)
          && shown.checkpoint().origin().equals(origin)
          && shown.checkpoint().size() >= size) {
        return shown.checkpoint().size() > known
            ? rolledBack(origin, known, new String(note, UTF_8))
            : failed(WitnessFailure.AHEAD, "another node signed what it has meanwhile");
      }
      return failed(
          WitnessFailure.AHEAD,
          "it has the size %d, and shows no checkpoint of it that this log signed".formatted(size));
    }

    private Result rolledBack(String origin, long known, String note) {
      recorder.accept(new RollbackFound(witness.key().text(), origin, known, note));
      return failed(
          WitnessFailure.ROLLED_BACK,
          "it shows a checkpoint that this log signed, and %d events are covered here"
              .formatted(known));
    }
  }
}
