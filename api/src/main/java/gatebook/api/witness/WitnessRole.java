package gatebook.api.witness;

import gatebook.command.rules.WitnessRules;
import gatebook.events.journal.checkpoint.CosigningKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.storage.CheckpointFile;
import gatebook.events.journal.witness.CosignedCheckpoints;
import gatebook.events.journal.witness.CosignedFiles;
import gatebook.events.journal.witness.CosignedTable;
import gatebook.events.journal.witness.Witness;
import gatebook.events.journal.witness.WitnessAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The witness that a node is for other logs, while its rules say so. Its key, and what it cosigned,
 * are in the data directory; nodes that share a database have what they cosigned there.
 */
public final class WitnessRole implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WitnessRole.class);

  private final Path directory;
  private final CosignedCheckpoints cosigned;
  private final Supplier<Optional<WitnessRules>> rules;
  private final InstantSource clock;
  private @Nullable Opened opened;

  /** The witness under a name. */
  private record Opened(String name, Witness witness) {}

  private WitnessRole(
      Path directory,
      CosignedCheckpoints cosigned,
      Supplier<Optional<WitnessRules>> rules,
      InstantSource clock) {
    this.directory = directory;
    this.cosigned = cosigned;
    this.rules = rules;
    this.clock = clock;
  }

  /**
   * The role of a node, of which nothing is opened before the rules ask for it.
   *
   * @param data the data directory
   * @param shared the database of the journal, when it is in one
   * @param rules those in force; empty when they say of no witness
   */
  public static WitnessRole of(
      Path data,
      Optional<SharedLocation> shared,
      Supplier<Optional<WitnessRules>> rules,
      InstantSource clock) {
    Path directory = data.resolve("witness");
    return new WitnessRole(
        directory,
        shared
            .<CosignedCheckpoints>map(CosignedTable::ofLogs)
            .orElseGet(() -> new CosignedFiles(directory)),
        rules,
        clock);
  }

  /** Whether the rules in force make this node a witness. */
  public boolean isInForce() {
    return rules.get().isPresent();
  }

  /** Opens the witness, so that its verifier key is in a file; a failure is logged. */
  public void prepare() {
    rules
        .get()
        .ifPresent(now -> {
          try {
            var _ = witness(now.name());
          } catch (IOException e) {
            LOG.atError()
                .addKeyValue("reason", e.getMessage())
                .log("this node cannot be a witness");
          }
        });
  }

  /** Answers a request to cosign a checkpoint; blocks. */
  public WitnessAnswer add(byte[] body) throws IOException {
    Optional<WitnessRules> now = rules.get();
    return now.isPresent()
        ? witness(now.get().name()).add(body, now.get().logs())
        : new WitnessAnswer.UnknownLog();
  }

  /** The newest checkpoint that was cosigned of a log, by the hash of its origin; blocks. */
  public Optional<String> newest(String log) throws IOException {
    Optional<WitnessRules> now = rules.get();
    return now.isPresent()
        ? witness(now.get().name()).newest(log, now.get().logs())
        : Optional.empty();
  }

  private synchronized Witness witness(String name) throws IOException {
    Opened current = opened;
    if (current == null || !current.name.equals(name)) {
      current = new Opened(name, open(name));
      opened = current;
    }
    return current.witness;
  }

  private Witness open(String name) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectory(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    return switch (CosigningKey.loadOrCreate(directory.resolve("cosigning.key"), name)) {
      case LoadedKey.Refused<CosigningKey>(String why) -> throw new IOException(why);
      case LoadedKey.Key<CosigningKey>(CosigningKey key) -> {
        Path published = directory.resolve("cosigning.pub");
        new CheckpointFile(published).write(key.verifier().text() + "\n");
        LOG.atInfo()
            .addKeyValue("file", published)
            .log("this node is a witness: the file has its verifier key, for the logs");
        yield new Witness(key, cosigned, clock);
      }
    };
  }

  @Override
  public void close() {
    cosigned.close();
  }
}
