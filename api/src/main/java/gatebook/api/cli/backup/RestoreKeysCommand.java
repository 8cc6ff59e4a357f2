package gatebook.api.cli.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.backup.KeysRestore;
import gatebook.api.cli.ServerQuery;
import gatebook.api.cli.StoppedKeys;
import gatebook.api.cli.option.DataOption;
import gatebook.api.cli.option.DatabaseOption;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.option.PassphraseOption;
import gatebook.api.cli.text.TextCells;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.JournalPlace;
import gatebook.events.keys.store.KeyBackup;
import gatebook.events.keys.store.RecordedKeys;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code gatebook restore keys}: restores content keys from their backup. */
@Command(
    name = "keys",
    description = {
      "Restores content keys from their backup, into the data directory of their journal.",
      "Adds those that are missing, and no key that was erased. The server must not run; other"
          + " nodes on a shared database may, and --db names it."
    },
    footer = {
      "",
      "Exit code: 0 the keys are there, 1 nothing was restored, 2 usage.",
      "Example: gatebook restore keys /vault/gatebook.keys --data ./restored"
    })
final class RestoreKeysCommand implements Callable<Integer> {
  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final DataOption dataOption;
  @Mixin private final DatabaseOption databaseOption = new DatabaseOption();
  @Mixin private final PassphraseOption passphraseOption;
  @Mixin private final JsonOption jsonOption = new JsonOption();

  @Parameters(paramLabel = "FILE", description = "The backup.")
  private Path file = Path.of("");

  RestoreKeysCommand() {
    this(System.getenv());
  }

  RestoreKeysCommand(Map<String, String> environment) {
    this.environment = environment;
    this.dataOption = new DataOption(environment);
    this.passphraseOption = new PassphraseOption(environment);
  }

  @Override
  public Integer call() {
    JournalPlace place = databaseOption.place(spec, dataOption.directory());
    if (!DataDirectory.isDataDirectory(place.directory())) {
      return failed(
          "%s is no data directory: restore the journal first, or name another with --data"
              .formatted(place.directory()));
    }
    return dataOption.own(
        this::failed,
        _ ->
            switch (KeyBackup.read(file, passphraseOption.existing())) {
              case KeyBackup.Reading.Refused(var sentence) -> failed(sentence);
              case KeyBackup.Reading.Read(var backup) -> restore(place, backup);
            });
  }

  private int failed(String sentence) {
    return jsonOption.failed(spec.commandLine(), sentence);
  }

  private int restore(JournalPlace place, KeyBackup backup) {
    String operator = System.getProperty("user.name", "unknown");
    KeysRestore restore = new KeysRestore(backup, file, operator, InstantSource.system());
    return switch (StoppedKeys.use(
        place,
        environment,
        KeysRestore.Outcome.NotRestored::new,
        journal -> backup.refusal(RecordedKeys.of(journal)),
        restore::run)) {
      case KeysRestore.Outcome.NotRestored(var sentence) -> failed(sentence);
      case KeysRestore.Outcome.Restored restored -> {
        ObjectNode result =
            ServerQuery.params()
                .put("added", restored.added())
                .put("inBackup", restored.inBackup())
                .put("backupAt", backup.at().toString());
        restored.unrecorded().ifPresent(why -> result.put("unrecorded", why));
        jsonOption.show(spec.commandLine(), result, RestoreKeysCommand::lines);
        yield ExitCode.OK;
      }
    };
  }

  private static List<String> lines(JsonNode result) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "restored  %s content keys, of %s in the backup of %s; the others are there or were erased"
            .formatted(
                TextCells.of(result.path("added")),
                TextCells.of(result.path("inBackup")),
                TextCells.of(result.path("backupAt"))));
    if (result.path("unrecorded").isTextual()) {
      lines.add(
          "warning   the journal does not have this: " + TextCells.of(result.path("unrecorded")));
    }
    return lines;
  }
}
