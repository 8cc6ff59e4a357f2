package gatebook.api.cli.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.backup.KeysBackupRun;
import gatebook.api.backup.NodeBackups;
import gatebook.api.cli.ServerOptions;
import gatebook.api.cli.ServerQuery;
import gatebook.api.cli.StoppedKeys;
import gatebook.api.cli.option.DatabaseOption;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.option.PassphraseOption;
import gatebook.api.cli.text.TextCells;
import gatebook.api.data.JournalPlace;
import gatebook.api.operator.methods.BackupMethods;
import gatebook.api.operator.methods.KeysBackupResult;
import gatebook.events.keys.store.BackupKey;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code gatebook backup keys}: has the server that owns the data directory back up its
 * content keys, or does it directly when none does.
 */
@Command(
    name = "keys",
    description = {
      "Backs up the content keys alone, encrypted under a passphrase.",
      "Keep it apart from backups of the journal, and remove it when it is replaced: it opens what"
          + " was erased since.",
      "The server writes the file on its machine; it does not get the passphrase. When no server"
          + " runs, this opens the journal itself: --db names its database."
    },
    footer = {
      "",
      "Exit code: 0 there is a new backup, 1 there is none, 2 usage.",
      "Example: gatebook backup keys /vault/gatebook.keys --data ./gatebook-data"
    })
final class BackupKeysCommand implements Callable<Integer> {
  private static final JsonMapper JSON = new JsonMapper();

  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server;
  @Mixin private final DatabaseOption databaseOption = new DatabaseOption();
  @Mixin private final PassphraseOption passphraseOption;
  @Mixin private final JsonOption jsonOption = new JsonOption();

  @Parameters(
      paramLabel = "FILE",
      description =
          "The file. One that is there is replaced only when it is a backup of the same"
              + " store of keys.")
  private Path file = Path.of("");

  BackupKeysCommand() {
    this(System.getenv());
  }

  BackupKeysCommand(Map<String, String> environment) {
    this.environment = environment;
    this.server = new ServerOptions(environment);
    this.passphraseOption = new PassphraseOption(environment);
  }

  @Override
  public Integer call() throws InterruptedException {
    JournalPlace place = databaseOption.place(spec, server.directory());
    Path target = file.toAbsolutePath().normalize();
    ServerQuery serverQuery = new ServerQuery(spec, server, jsonOption);
    return serverQuery.atServerOrDirectly(
        query -> atServer(target, query), _ -> directly(place, target, serverQuery));
  }

  private BackupKey key() {
    return BackupKey.derive(passphraseOption.chosen(BackupKey.PASSPHRASE_CHARS_MIN));
  }

  private int atServer(Path target, ServerQuery serverQuery) throws InterruptedException {
    BackupKey key = key();
    return serverQuery.call(
        BackupMethods.KEYS,
        ServerQuery.params()
            .put("file", target.toString())
            .put("key", Base64.getEncoder().encodeToString(key.bytes()))
            .put("salt", Base64.getEncoder().encodeToString(key.salt()))
            .put("iterations", key.iterations()),
        _ -> true,
        BackupKeysCommand::lines);
  }

  private int directly(JournalPlace place, Path target, ServerQuery serverQuery) {
    BackupKey key = key();
    return StoppedKeys.use(
        place,
        environment,
        serverQuery::failed,
        (journal, contentKeys) -> {
          KeysBackupRun run =
              NodeBackups.of(place.directory(), journal, contentKeys, Clock.systemUTC())
                  .keysBackupRun();
          return switch (run.run(System.getProperty("user.name", "unknown"), target, key)) {
            case KeysBackupRun.Outcome.NotMade(var reason) ->
                serverQuery.failed("the content keys were not backed up: " + reason);
            case KeysBackupRun.Outcome.Made made -> {
              serverQuery.show(
                  JSON.valueToTree(KeysBackupResult.of(target, made)), BackupKeysCommand::lines);
              yield ExitCode.OK;
            }
          };
        });
  }

  private static List<String> lines(JsonNode result) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "backup    %s content keys in %s"
            .formatted(TextCells.of(result.path("keys")), TextCells.of(result.path("file"))));
    if (result.path("newestKeyAt").isTextual()) {
      lines.add("newest    of " + TextCells.of(result.path("newestKeyAt")));
    }
    if (result.path("unrecorded").isTextual()) {
      lines.add(
          "warning   the journal does not have this backup: "
              + TextCells.of(result.path("unrecorded")));
    }
    return lines;
  }
}
