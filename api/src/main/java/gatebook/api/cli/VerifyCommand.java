package gatebook.api.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.archive.ArchiveAddress;
import gatebook.api.cli.option.DatabaseOption;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.option.VerifierKeyOption;
import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.api.operator.client.OperatorClient;
import gatebook.api.timestamp.TrustedAuthorities;
import gatebook.api.witness.LogWitnesses;
import gatebook.events.journal.anchor.AnchoredNotes;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.CheckpointFile;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.keys.KeysUnavailable;
import gatebook.events.keys.store.KeyIds;
import gatebook.query.verification.ExternalCheckpoint;
import gatebook.query.verification.KeyCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code gatebook verify}: calls the server that owns the data directory, or reads the
 * journal directly when none does.
 */
@Command(
    name = "verify",
    description = {
      "Recomputes the journal from its rows and compares it with its signed checkpoints.",
      "Sealed segments that were verified before, as a signed stamp beside each says, are not read"
          + " again unless they were changed since: --all reads them, too.",
      "Runs in the server that owns the data directory or answers at --url, else in this process.",
      "With --db it always runs in this process.",
      "With --case it checks a case file, and with --consistency the proof that one checkpoint"
          + " goes on from another; then it reads nothing else."
    },
    footer = {
      "",
      "Exit code: 0 nothing is wrong, 1 something is or it cannot be checked, 2 usage, 3 nothing is"
          + " wrong, and content keys are missing without having been erased.",
      "Example: gatebook verify --data ./gatebook-data --against /vault/checkpoint"
    })
public final class VerifyCommand implements Callable<Integer> {
  static final String CASE_BYTES_MAX = "--case-bytes-max";

  /** Longer than two notes and a proof. */
  private static final long PROOF_BYTES_MAX = 1 << 20;

  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server;
  @Mixin private final DatabaseOption databaseOption = new DatabaseOption();
  @Mixin private final JsonOption jsonOption = new JsonOption();
  @Mixin private final VerifierKeyOption keyOption = new VerifierKeyOption();

  @Option(
      names = "--against",
      paramLabel = "FILE",
      description = {
        "A checkpoint kept outside the journal; may be repeated.",
        "Of the directory or the file of an anchor, the newest one."
      })
  private List<Path> against = new ArrayList<>();

  @Option(
      names = "--all",
      description = "Reads everything, also what was verified and stamped before.")
  private boolean all;

  @Option(
      names = "--accept",
      paramLabel = "REASON",
      description = "When something is wrong, records that you accept the journal as it is.")
  private @Nullable String acceptReason;

  @Option(
      names = "--case",
      paramLabel = "FILE",
      description =
          "Checks a case file of gatebook prove instead of a journal, with nothing but --key.")
  private @Nullable Path caseFile;

  @Option(
      names = "--consistency",
      paramLabel = "FILE",
      description =
          "Checks a consistency proof of gatebook prove --from in the place of a journal, with"
              + " nothing but --key.")
  private @Nullable Path consistencyFile;

  @Option(
      names = CASE_BYTES_MAX,
      paramLabel = "BYTES",
      defaultValue = "" + CaseFileCheck.BYTES_MAX,
      description = "The largest case file that is read (${DEFAULT-VALUE}).")
  private int caseBytesMax;

  @Option(
      names = "--timestamp-ca",
      paramLabel = "FILE",
      description =
          "Certificates in PEM, one of which must vouch for the timestamp in the case file.")
  private @Nullable Path timestampCa;

  @Option(
      names = "--archive",
      paramLabel = "DIR|s3://BUCKET/PREFIX",
      description =
          "Where a journal without a server has its archived events (else where its node last had"
              + " them).")
  private @Nullable String archive;

  public VerifyCommand() {
    this(System.getenv());
  }

  VerifyCommand(Map<String, String> environment) {
    this.environment = environment;
    this.server = new ServerOptions(environment);
  }

  @Override
  public Integer call() throws InterruptedException {
    requireValidOptions();
    if (caseFile != null) {
      return checkCase(caseFile, givenKey());
    }
    if (consistencyFile != null) {
      return checkConsistency(consistencyFile, givenKey());
    }
    return switch (verify()) {
      case VerifyResult.Unchecked(var sentence) -> jsonOption.failed(spec.commandLine(), sentence);
      case VerifyResult.Checked checked -> {
        print(checked);
        yield checked.exitCode();
      }
    };
  }

  private VerifierKey givenKey() {
    return switch (keyOption.key().orElseThrow()) {
      case LoadedKey.Refused<VerifierKey>(var why) -> throw usageError(why);
      case LoadedKey.Key<VerifierKey>(var key) -> key;
    };
  }

  private int checkConsistency(Path file, VerifierKey key) {
    return switch (ConsistencyCheck.check(proof(file), key)) {
      case ConsistencyCheck.Verdict.Refused(var sentence) ->
          jsonOption.failed(spec.commandLine(), sentence);
      case ConsistencyCheck.Verdict.Accepted(var document) -> {
        jsonOption.show(spec.commandLine(), document, ConsistencyCheck::lines);
        yield ExitCode.OK;
      }
    };
  }

  private byte[] proof(Path file) {
    try {
      if (Files.size(file) > PROOF_BYTES_MAX) {
        throw usageError("no consistency proof is as large as " + file);
      }
      return Files.readAllBytes(file);
    } catch (IOException _) {
      throw usageError("cannot read the consistency proof " + file);
    }
  }

  private int checkCase(Path file, VerifierKey key) {
    return new CaseFileCheck(spec.commandLine(), jsonOption)
        .run(file, key, timestampAuthorities(), caseBytesMax);
  }

  private Optional<TrustedAuthorities> timestampAuthorities() {
    if (timestampCa == null) {
      return Optional.empty();
    }
    Optional<TrustedAuthorities> authorities;
    try {
      authorities = TrustedAuthorities.of(Files.readAllBytes(timestampCa));
    } catch (IOException _) {
      throw usageError("cannot read the certificates in " + timestampCa);
    }
    if (authorities.isEmpty()) {
      throw usageError("there is no certificate in " + timestampCa);
    }
    return authorities;
  }

  private void requireValidOptions() {
    var _ = archive();
    if (caseBytesMax < 1 || caseBytesMax > CaseFileCheck.LIMIT_MAX) {
      throw usageError("--case-bytes-max takes 1 to %d".formatted(CaseFileCheck.LIMIT_MAX));
    }
    if (caseFile != null && consistencyFile != null) {
      throw usageError("give either --case or --consistency");
    }
    if ((caseFile != null || consistencyFile != null)
        && (!keyOption.isGiven() || isAboutAJournal())) {
      throw usageError(
          "%s takes --key, with a verifier key that you trust, and no option about a journal"
              .formatted(caseFile == null ? "--consistency" : "--case"));
    }
    if (caseFile == null && timestampCa != null) {
      throw usageError("--timestamp-ca is about a case file: name one with --case");
    }
    if (acceptReason != null && (server.url().isPresent() || !against.isEmpty())) {
      throw usageError(
          "--accept works on a journal that no server holds, and without other checkpoints: leave"
              + " out --url and --against");
    }
    if (acceptReason != null && acceptReason.isBlank()) {
      throw usageError("--accept requires the reason why you accept this journal");
    }
    if (archive != null && server.url().isPresent()) {
      throw usageError("the archive of a server is in its configuration: leave out --archive");
    }
    if (server.url().isPresent() && (databaseOption.url().isPresent() || keyOption.isGiven())) {
      throw usageError("with --url the server verifies its own journal: leave out --db and --key");
    }
  }

  private boolean isAboutAJournal() {
    return server.url().isPresent()
        || databaseOption.url().isPresent()
        || !against.isEmpty()
        || all
        || acceptReason != null
        || archive != null;
  }

  private ParameterException usageError(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }

  private VerifyResult verify() throws InterruptedException {
    if (databaseOption.url().isPresent()) {
      return verifyDirectly();
    }
    return acceptReason == null ? verifyUnchanged() : acceptHere();
  }

  /** It only reads, also in a directory where nothing can be written. */
  private VerifyResult verifyUnchanged() throws InterruptedException {
    Optional<ServerOptions.ClientLookup> owner = server.journalOwner();
    return owner.isPresent() ? verifyAtServer(owner.get()) : verifyDirectly();
  }

  private VerifyResult acceptHere() {
    return switch (server.openDirectory()) {
      case ServerOptions.DirectoryAccess.Refused(var sentence) ->
          new VerifyResult.Unchecked(sentence);
      case ServerOptions.DirectoryAccess.Held(var sentence) -> new VerifyResult.Unchecked(sentence);
      case ServerOptions.DirectoryAccess.Opened(var directory) -> {
        try (directory) {
          yield verifyDirectly();
        }
      }
    };
  }

  private VerifyResult verifyAtServer(ServerOptions.ClientLookup lookup)
      throws InterruptedException {
    return switch (lookup) {
      case ServerOptions.ClientLookup.Unavailable(var sentence, _) ->
          new VerifyResult.Unchecked(sentence);
      case ServerOptions.ClientLookup.Client(var client) ->
          switch (client.call("audit.verify", params())) {
            case OperatorClient.Answer.Failed(var sentence) -> new VerifyResult.Unchecked(sentence);
            case OperatorClient.Answer.Result(var report) -> new VerifyResult.Checked(report);
          };
    };
  }

  private ObjectNode params() {
    ObjectNode params = ServerQuery.params();
    ArrayNode notes = params.putArray("against");
    against.forEach(file -> notes.add(new String(checkpointNote(file), UTF_8)));
    return all ? params.put("all", true) : params;
  }

  private VerifyResult verifyDirectly() {
    JournalPlace place = new JournalPlace(server.directory(), databaseOption.url());
    place
        .refusal()
        .ifPresent(sentence -> {
          throw usageError(sentence);
        });
    return switch (keyOption.key(place, environment, missingKeyHint())) {
      case LoadedKey.Refused<VerifierKey>(var why) -> new VerifyResult.Unchecked(why);
      case LoadedKey.Key<VerifierKey>(var key) ->
          verifyDirectly(new DirectVerification(settings(place), key, all, keyCheck(place)));
    };
  }

  private KeyCheck keyCheck(JournalPlace place) {
    KeyIds.Reading reading =
        place.sharedLocation(environment).map(KeyIds::in).orElseGet(() -> KeyIds.in(place.keys()));
    return switch (reading) {
      case KeyIds.Reading.Read(var keyIds) -> new KeyCheck(keyIds::isMissing);
      case KeyIds.Reading.Unknown(var sentence) ->
          new KeyCheck(_ -> {
            throw new KeysUnavailable(sentence, null);
          });
    };
  }

  private JournalSettings settings(JournalPlace place) {
    return archive()
        .map(it -> place.settings(JournalSection.DEFAULT, environment, it))
        .orElseGet(() -> place.settings(JournalSection.DEFAULT, environment));
  }

  private Optional<ArchiveAddress> archive() {
    return Optional.ofNullable(archive)
        .map(text ->
            ArchiveAddress.parse(text)
                .orElseThrow(() ->
                    new ParameterException(
                        spec.commandLine(), "--archive takes " + ArchiveAddress.FORM)));
  }

  private VerifyResult verifyDirectly(DirectVerification directVerification) {
    if (acceptReason == null) {
      return directVerification.verify(
          Stream.concat(against.stream(), cosigned(directVerification.settings()).stream())
              .map(it -> new ExternalCheckpoint(it.toString(), checkpointNote(it)))
              .toList());
    }
    return switch (CheckpointKey.loadExisting(directVerification.settings().keyFile())) {
      case LoadedKey.Refused<CheckpointKey>(var why) -> new VerifyResult.Unchecked(why);
      case LoadedKey.Key<CheckpointKey> _ ->
          directVerification.accept(System.getProperty("user.name", "unknown"), acceptReason);
    };
  }

  /** The newest checkpoint that witnesses cosigned of the log of now, as far as a file has it. */
  private Optional<Path> cosigned(JournalSettings settings) {
    Path cosigned = LogWitnesses.cosignedFile(settings.checkpointFile());
    return origin(cosigned).isPresent()
            && origin(cosigned).equals(origin(settings.checkpointFile()))
        ? Optional.of(cosigned)
        : Optional.empty();
  }

  private static Optional<String> origin(Path checkpoint) {
    return Optional.ofNullable(new CheckpointFile(checkpoint).read())
        .flatMap(note -> Checkpoint.ofNote(new String(note, UTF_8)))
        .map(Checkpoint::origin);
  }

  private String missingKeyHint() {
    return acceptReason == null
        ? VerifierKeyOption.NAME_ONE
        : "put it back from a copy; without one, start the gateway once: it makes a new key, with"
            + " which the journal can be accepted";
  }

  private byte[] checkpointNote(Path file) {
    try {
      return AnchoredNotes.newest(file);
    } catch (IOException _) {
      throw new ParameterException(
          spec.commandLine(), "cannot read the checkpoint %s".formatted(file));
    }
  }

  private void print(VerifyResult.Checked checked) {
    spec.commandLine()
        .getOut()
        .println(jsonOption.isGiven() ? document(checked) : ReportText.of(checked, journal()));
  }

  private static String document(VerifyResult.Checked checked) {
    ObjectNode document = checked.report().deepCopy();
    return JsonOption.text(
        checked.note().isEmpty() ? document : document.put("note", checked.note()));
  }

  /** The journal without credentials: a database URL may contain a password. */
  private String journal() {
    return databaseOption
        .url()
        .map(url -> url.replaceFirst("\\?.*", "").replaceFirst("//[^/@]*@", "//"))
        .or(server::url)
        .orElseGet(() -> server.directory().toString());
  }
}
