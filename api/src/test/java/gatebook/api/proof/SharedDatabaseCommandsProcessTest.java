package gatebook.api.proof;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.cli.CommandRun;
import gatebook.events.Requires;
import gatebook.events.journal.Journals;
import gatebook.events.journal.PostgresServer;
import gatebook.events.journal.postgres.SharedLocation;
import java.io.IOException;
import java.io.Writer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands on a shared database while no server runs, as a person types them. */
final class SharedDatabaseCommandsProcessTest {
  private static final Path LAUNCHER = Path.of(System.getProperty("gatebook.root"), "gatebook");
  private static final String PASSPHRASE = "correct horse battery";
  private static final String RULES =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance: {defaults: {action: forward}}
      """;
  private static final int KEYS_MISSING = 3;

  @TempDir private Path temp;

  private PostgresServer database;
  private SharedLocation shared;

  @BeforeEach
  void start() {
    database = PostgresServer.start();
    shared = database.location();
  }

  @AfterEach
  void stop() {
    database.close();
  }

  @Test
  void keysAreBackedUpRotatedAndRestoredWithoutAServer() throws Exception {
    try (ServerProcess server =
        ServerProcess.start(
            ServerDirectory.withRules(temp, RULES).directory(),
            new ServerProcess.StartOptions(List.of(), List.of("--db", shared.url()), login()))) {
      call(server);
      server.stop();
    }

    assertThat(run("verify").code()).isZero();
    assertThat(typed("backup keys keys.backup", "passphrase of the backup: ", "the same again: "))
        .contains("content keys in " + temp.toRealPath().resolve("keys.backup"));
    assertThat(run("keys", "rotate", "wrapping").out()).contains(" was destroyed, and ");
    assertThat(run("token", "rotate").out()).startsWith("the new token is in ");
    assertThat(run("keys", "rotate", "checkpoint").err()).startsWith("no process uses data: ");
    assertThat(run("forget", "--principal", "joe", "--reason", "asked"))
        .isEqualTo(new CommandRun(2, "", "unknown option: '--db': see gatebook forget --help\n"));
    assertThat(run("verify").code()).isZero();

    loseKeys();
    CommandRun lost = run("verify", "--all");
    assertThat(lost.code()).isEqualTo(KEYS_MISSING);
    assertThat(lost.out()).contains("have content whose key is missing and was not erased");
    assertThat(typed("restore keys keys.backup", "passphrase: ")).contains("content keys, of ");
    assertThat(run("verify", "--all").code()).isZero();
  }

  private void loseKeys() throws SQLException {
    try (Connection administrator = Journals.administrator(shared);
        Statement statement = administrator.createStatement()) {
      boolean _ = statement.execute("TRUNCATE content_key_store, content_key, content_key_erased");
    }
  }

  private Map<String, String> login() {
    return Map.of("GATEBOOK_DB_USER", shared.user(), "GATEBOOK_DB_PASSWORD", shared.password());
  }

  private static void call(ServerProcess server) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(server.mcp())
              .header("Content-Type", "application/json")
              .POST(
                  BodyPublishers.ofString(
                      """
                      {"jsonrpc":"2.0","id":1,"method":"tools/call","params":\
                      {"name":"echo","arguments":{"note":"said"}}}\
                      """))
              .build();
      assertThat(http.send(request, BodyHandlers.ofString()).body()).contains("said");
    }
  }

  private CommandRun run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(LAUNCHER.toString()));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--data", "data", "--db", shared.url()));
    Process process =
        builder(command)
            .redirectOutput(temp.resolve("command.out").toFile())
            .redirectError(temp.resolve("command.err").toFile())
            .start();
    assertThat(process.waitFor(120, SECONDS)).isTrue();
    return new CommandRun(
        process.exitValue(),
        Files.readString(temp.resolve("command.out")),
        Files.readString(temp.resolve("command.err")));
  }

  private ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(temp.toFile());
    builder.environment().putAll(login());
    return builder;
  }

  /** Runs a command at a terminal, and types the passphrase at each prompt; returns the screen. */
  private String typed(String arguments, String... prompts)
      throws IOException, InterruptedException {
    Requires.program("script");
    Path screen = temp.resolve("terminal.txt");
    Files.deleteIfExists(screen);
    Process terminal =
        builder(
                List.of(
                    "script",
                    "-qfec",
                    "'%s' %s --data data --db '%s'".formatted(LAUNCHER, arguments, shared.url()),
                    screen.toString()))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (Writer keyboard = terminal.outputWriter()) {
      for (String prompt : prompts) {
        await().until(() -> Files.exists(screen) && Files.readString(screen).contains(prompt));
        keyboard.append(PASSPHRASE).append('\n').flush();
      }
      assertThat(terminal.waitFor(120, SECONDS)).isTrue();
    }
    assertThat(terminal.exitValue()).as(Files.readString(screen)).isZero();
    assertThat(Files.readString(screen)).doesNotContain(PASSPHRASE);
    return Files.readString(screen);
  }
}
