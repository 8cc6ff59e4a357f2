package gatebook.api.operator.methods;

import gatebook.api.archive.ArchiveAddress;
import gatebook.api.backup.KeysBackupRun;
import gatebook.api.backup.NodeBackups;
import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.rpc.MemberType.Text;
import gatebook.api.rpc.MemberType.Whole;
import gatebook.api.rpc.RequestMember;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.journal.Journal;
import gatebook.events.journal.backup.JournalBackup;
import gatebook.events.keys.store.BackupKey;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The methods {@code backup.start} and {@code backup.status}, which are about the journal, and
 * {@code backup.keys}.
 */
public final class BackupMethods {
  public static final String START = "backup.start";
  public static final String STATUS = "backup.status";
  public static final String KEYS = "backup.keys";

  private static final Set<Role> ADMINS = Set.of(Role.ADMIN);
  private static final RequestMember TARGET =
      RequestMember.required(
          "target",
          ParamTypes.TEXT,
          "The place of the backups: a directory of the node, with its whole path, or"
              + " s3://BUCKET/PREFIX.");

  private static final Text BYTES_32 =
      Text.matching(
          Pattern.compile("^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$"), "32 bytes in Base64");
  private static final List<RequestMember> KEYS_PARAMS =
      List.of(
          RequestMember.required(
              "file", ParamTypes.TEXT, "The file on the machine of the node, with its whole path."),
          RequestMember.required(
                  "key",
                  BYTES_32,
                  "The key of the backup: PBKDF2 with HMAC-SHA-256 of a passphrase. Only its size"
                      + " and a digest are recorded.")
              .secret(),
          RequestMember.required("salt", BYTES_32, "The random salt of that derivation."),
          RequestMember.required(
              "iterations",
              Whole.between(BackupKey.ITERATIONS, BackupKey.ITERATIONS_MAX),
              "The iterations of that derivation."));

  private final Journal journal;
  private final String version;
  private final NodeBackups nodeBackups;
  private final Clock clock;
  private @Nullable BackupRun newest;

  /** The methods of one journal. */
  public BackupMethods(Journal journal, String version, NodeBackups nodeBackups, Clock clock) {
    this.nodeBackups = nodeBackups;
    this.journal = journal;
    this.version = version;
    this.clock = clock;
  }

  public List<OperatorMethod> all() {
    return List.of(
        new OperatorMethod(
            START,
            "Starts a backup of the journal, beside the calls; backup.status shows how far it is."
                + " It has no private key.",
            List.of(TARGET),
            ADMINS,
            false,
            (callParams, _) -> start(callParams)),
        new OperatorMethod(
            STATUS,
            "Shows the newest backup that this node made since its start, or makes. While it is"
                + " made, the request is not recorded.",
            List.of(),
            ADMINS,
            false,
            (_, _) -> status()),
        new OperatorMethod(
            KEYS,
            "Backs up the content keys to a file, which is encrypted under the given key.",
            KEYS_PARAMS,
            ADMINS,
            false,
            this::backUpKeys));
  }

  private Outcome backUpKeys(CallParams callParams, Operator operator) {
    Path file = Path.of(callParams.text("file"));
    if (!file.isAbsolute()) {
      return new Outcome.InvalidParams(
          "name the whole path of a file", "file", "the whole path of a file", "another text");
    }
    BackupKey key =
        new BackupKey(
            Base64.getDecoder().decode(callParams.text("salt")),
            callParams.integer("iterations").orElseThrow(),
            Base64.getDecoder().decode(callParams.text("key")));
    return switch (nodeBackups.keysBackupRun().run(operator.name(), file, key)) {
      case KeysBackupRun.Outcome.NotMade(var reason) ->
          new Outcome.Busy("the content keys were not backed up: " + reason);
      case KeysBackupRun.Outcome.Made made -> Outcome.answered(KeysBackupResult.of(file, made));
    };
  }

  private synchronized Outcome start(CallParams callParams) {
    if (journal.isShared()) {
      return new Outcome.Busy(JournalBackup.SHARED);
    }
    BackupRun running = newest;
    if (running != null && running.isRunning()) {
      return new Outcome.Busy(
          "a backup to %s is running: try again when it has ended".formatted(running.target()));
    }
    Optional<ArchiveAddress> address =
        ArchiveAddress.parse(callParams.text("target"))
            .filter(it ->
                switch (it) {
                  case ArchiveAddress.Directory(var path) -> path.isAbsolute();
                  case ArchiveAddress.Bucket _ -> true;
                });
    if (address.isEmpty()) {
      return new Outcome.InvalidParams(
          "name the whole path of a directory, or s3://BUCKET/PREFIX",
          "target",
          ArchiveAddress.FORM,
          "another text");
    }
    BackupRun started =
        new BackupRun(
            journal,
            address.get(),
            version,
            nodeBackups::keysWarning,
            nodeBackups.backupFigures(),
            nodeBackups.newestBackup(),
            clock);
    newest = started;
    started.start();
    return Outcome.answered(started.status());
  }

  private synchronized Outcome status() {
    BackupRun run = newest;
    if (run == null) {
      return Outcome.answered(BackupStatus.NONE);
    }
    BackupStatus status = run.status();
    return run.isRunning() ? new Outcome.Progress(status) : Outcome.answered(status);
  }
}
