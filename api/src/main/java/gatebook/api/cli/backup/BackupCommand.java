package gatebook.api.cli.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.archive.ArchiveAddress;
import gatebook.api.backup.BackupFigures;
import gatebook.api.backup.NodeBackups;
import gatebook.api.cli.ServerOptions;
import gatebook.api.cli.ServerQuery;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.text.ProgressOutput;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.JournalKeys;
import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.api.data.NewestBackup;
import gatebook.api.node.Version;
import gatebook.api.operator.methods.BackupRun;
import gatebook.api.operator.methods.BackupStatus;
import gatebook.events.journal.Journal;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.segment.SegmentCompression;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.keys.store.ContentKeyStore;
import java.nio.file.Files;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code gatebook backup}: has the server that owns the data directory back up its
 * journal, or does it directly when none does.
 */
@Command(
    name = "backup",
    subcommands = BackupKeysCommand.class,
    description = {
      "Backs up the journal, also while a server appends to it.",
      "Sealed segments that an earlier backup in the same place has are not copied again. The"
          + " backup has no private key: copy checkpoint.key apart from it, and back up the content"
          + " keys with gatebook backup keys.",
      "Runs in the server that owns the data directory or answers at --url, else in this process."
    },
    footer = {
      "",
      "Exit code: 0 there is a new backup, 1 there is none, 2 usage.",
      "Example: gatebook backup /backups/gatebook --data ./gatebook-data"
    })
public final class BackupCommand implements Callable<Integer> {
  private static final JsonMapper JSON = new JsonMapper();

  private final Map<String, String> environment;
  private final Function<CommandSpec, ProgressOutput> progressOutput;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server;
  @Mixin private final JsonOption jsonOption = new JsonOption();

  @Parameters(
      arity = "0..1",
      paramLabel = "TARGET",
      description = "The place of the backups: a directory, or s3://BUCKET/PREFIX.")
  private @Nullable String target;

  public BackupCommand() {
    this(System.getenv(), spec -> ProgressOutput.onStderr(spec.commandLine().getErr()));
  }

  BackupCommand(
      Map<String, String> environment, Function<CommandSpec, ProgressOutput> progressOutput) {
    this.environment = environment;
    this.progressOutput = progressOutput;
    this.server = new ServerOptions(environment);
  }

  @Override
  public Integer call() throws InterruptedException {
    ArchiveAddress address = address();
    ServerQuery serverQuery = new ServerQuery(spec, server, jsonOption);
    return serverQuery.atServerOrDirectly(
        query ->
            new BackupWatch(query, progressOutput.apply(spec))
                .run(ServerQuery.params().put("target", address.toString())),
        directory -> backUp(directory, address, serverQuery));
  }

  private ArchiveAddress address() {
    if (target == null) {
      throw new ParameterException(
          spec.commandLine(), "missing required parameter: 'TARGET', " + ArchiveAddress.FORM);
    }
    return switch (ArchiveAddress.parse(target)
        .orElseThrow(() ->
            new ParameterException(
                spec.commandLine(),
                "invalid value for 'TARGET': '%s' is not %s"
                    .formatted(target, ArchiveAddress.FORM)))) {
      case ArchiveAddress.Directory(var path) ->
          new ArchiveAddress.Directory(path.toAbsolutePath().normalize());
      case ArchiveAddress.Bucket bucket -> bucket;
    };
  }

  /** The key must be there: a journal that is opened without one gets a new one. */
  private int backUp(DataDirectory directory, ArchiveAddress address, ServerQuery serverQuery) {
    JournalPlace place = new JournalPlace(directory.path(), Optional.empty());
    if (CheckpointKey.loadExisting(place.keyFile())
        instanceof LoadedKey.Refused<CheckpointKey>(var why)) {
      return serverQuery.failed(why);
    }
    return switch (Journal.open(settings(place))) {
      case Journal.OpenResult.Refused(var sentence) -> serverQuery.failed(sentence);
      case Journal.OpenResult.Opened(var opened) -> {
        try (Journal journal = opened) {
          BackupStatus status =
              new BackupRun(
                      journal,
                      address,
                      Version.text(),
                      () -> keysWarning(place, journal),
                      new BackupFigures(),
                      NewestBackup.in(directory.path()),
                      Clock.systemUTC())
                  .run();
          JsonNode result = JSON.valueToTree(status);
          yield BackupWatch.report(result, serverQuery);
        }
      }
    };
  }

  /** Keys that are missing are not created. */
  private Optional<String> keysWarning(JournalPlace place, Journal journal) {
    if (Files.notExists(place.keys())) {
      return Optional.of("there are no content keys in %s".formatted(place.keys()));
    }
    return switch (JournalKeys.open(place, journal, environment)) {
      case ContentKeyStore.Opening.Refused(var sentence) -> Optional.of(sentence);
      case ContentKeyStore.Opening.Opened(var opened, _) -> {
        try (ContentKeyStore contentKeys = opened) {
          yield NodeBackups.of(place.directory(), journal, contentKeys, Clock.systemUTC())
              .keysWarning();
        }
      }
    };
  }

  /** Compressing segments is left to the node, which knows whether it may. */
  private JournalSettings settings(JournalPlace place) {
    JournalSettings settings = place.settings(JournalSection.DEFAULT, environment);
    return new JournalSettings(
        settings.location() instanceof SegmentLocation segments
            ? segments.with(SegmentCompression.NONE)
            : settings.location(),
        settings.durability(),
        settings.node(),
        settings.keyFile(),
        settings.checkpointFile(),
        settings.limits());
  }
}
