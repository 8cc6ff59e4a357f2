package gatebook.api.operator.methods;

import gatebook.api.archive.ArchiveAddress;
import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.rpc.RequestMember;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.journal.Journal;
import gatebook.events.journal.backup.JournalBackup;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The methods {@code backup.start} and {@code backup.status}. */
public final class BackupMethods {
  public static final String START = "backup.start";
  public static final String STATUS = "backup.status";

  private static final Set<Role> ADMINS = Set.of(Role.ADMIN);
  private static final RequestMember TARGET =
      RequestMember.required(
          "target",
          ParamTypes.TEXT,
          "The place of the backups: a directory of the node, with its whole path, or"
              + " s3://BUCKET/PREFIX.");

  private final Journal journal;
  private final String version;
  private final Supplier<Optional<String>> keysWarning;
  private final Clock clock;
  private @Nullable BackupRun newest;

  /**
   * The methods of one journal.
   *
   * @param keysWarning says when no backup of keys is as new as the newest content
   */
  public BackupMethods(
      Journal journal, String version, Supplier<Optional<String>> keysWarning, Clock clock) {
    this.journal = journal;
    this.version = version;
    this.keysWarning = keysWarning;
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
            "Shows the newest backup that this node made since its start, or makes.",
            List.of(),
            ADMINS,
            false,
            (_, _) -> Outcome.answered(status())));
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
    BackupRun started = new BackupRun(journal, address.get(), version, keysWarning, clock);
    newest = started;
    started.start();
    return Outcome.answered(started.status());
  }

  private synchronized BackupStatus status() {
    BackupRun run = newest;
    return run == null ? BackupStatus.NONE : run.status();
  }
}
