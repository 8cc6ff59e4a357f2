package gatebook.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.daemon.DaemonMethods;
import gatebook.api.data.DataDirectory;
import gatebook.api.node.JoinedNode;
import gatebook.events.journal.checkpoint.CheckpointKey;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class GatebookTest {

  record Outcome(int code, String out, String err) {}

  @Test
  void versionIsOneLineWithCommitAndJava() {
    Outcome outcome = gatebook("--version");

    assertThat(outcome.out())
        .matches(
            "gatebook \\d+\\.\\d+\\.\\d+ \\(commit ([0-9a-f]{12}(-dirty)?|unknown), Java %s\\)\n"
                .formatted(Pattern.quote(Runtime.version().toString())));
    assertThat(outcome).isEqualTo(new Outcome(0, outcome.out(), ""));
  }

  @Test
  void helpHasAnExampleForEveryCommand() {
    CommandLine root = Gatebook.commandLine();

    assertThat(gatebook("--help").out()).contains("\nExample: gatebook ");
    assertThat(root.getSubcommands().keySet())
        .isNotEmpty()
        .allSatisfy(name ->
            assertThat(gatebook(name, "--help").out())
                .contains("\nExample: gatebook %s ".formatted(name)));
  }

  @Test
  void everyCommandIsDescribedInSentences() {
    assertThat(Gatebook.commandLine().getSubcommands().values())
        .allSatisfy(command ->
            assertThat(command.getCommandSpec().usageMessage().description())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).endsWith(".")));
  }

  @ParameterizedTest
  @CsvSource({
    "'gatebook ver', verify",
    "'gatebook verify --ag', --against",
    "'gatebook rules ', check",
  })
  void shellsCompleteCommandsAndOptions(String typed, String completion, @TempDir Path target)
      throws IOException, InterruptedException {
    CommandDocuments.main(new String[] {target.toString()});
    String script =
        """
        . "$1/gatebook.completion"
        compopt() { :; } # works within a completion only
        COMP_WORDS=(%s) COMP_CWORD=%d
        _complete_gatebook
        echo "${COMPREPLY[@]}"
        """
            .formatted(typed.replaceFirst(" $", " ''"), typed.split(" ", -1).length - 1);
    Process bash =
        new ProcessBuilder("bash", "-c", script, "bash", target.toString())
            .redirectErrorStream(true)
            .start();

    assertThat(new String(bash.getInputStream().readAllBytes(), UTF_8))
        .isEqualTo(completion + "\n");
    assertThat(bash.waitFor()).isZero();
  }

  @Test
  void manualPageHasEveryCommandAndOption(@TempDir Path target) throws IOException {
    CommandDocuments.main(new String[] {target.toString()});
    String page = Files.readString(target.resolve("gatebook.1")).replace("\\-", "-");

    Gatebook.commandLine()
        .getSubcommands()
        .forEach((name, command) -> {
          assertThat(page).contains("\n.SS \"gatebook %s ".formatted(name));
          for (var option : command.getCommandSpec().options()) {
            assertThat(option.hidden() || page.contains(option.longestName())).as(name).isTrue();
          }
        });
  }

  @Test
  void helpOfServeShowsTheDefaultOfEveryOption() {
    assertThat(gatebook("serve", "--help").out())
        .isEqualTo(
            """
            Usage: gatebook serve [-h] [--admin-host=H] [--admin-port=PORT] [--config=FILE]
                                  [--data=DIR] [--db=JDBC-URL] [--host=H] [--log=FILE]
                                  [--log-bytes-max=BYTES] [--log-files-max=N]
                                  [--log-waiting-max=BYTES] [--port=PORT] [--tls-cert=FILE]
                                  [--tls-client-ca=FILE] [--tls-key=FILE]
                                  [--behind-proxy=ADDRESSES[,ADDRESSES...]]...
                                  [--name=NAME]...
            Answers callers at one port, probes and operators at another, until stopped.
                  --admin-host=H         Address for probes and operators (127.0.0.1).
                  --admin-port=PORT      Port for probes and operators, 0 for any free one
                                           (7469).
                  --behind-proxy=ADDRESSES[,ADDRESSES...]
                                         The proxies that speak TLS for this node, as
                                           addresses or networks: they alone are believed
                                           what Forwarded and X-Forwarded-Proto say.
                  --config=FILE          The configuration file (else ./gatebook.yaml if
                                           there is one).
                  --data=DIR             Directory of the journal and the keys (else
                                           $GATEBOOK_DATA, ./gatebook-data).
                  --db=JDBC-URL          Database of the journal (else one in the data
                                           directory).
              -h, --help                 Shows this text.
                  --host=H               Address for callers (127.0.0.1).
                  --log=FILE             Where log lines go (else $DUET_RPC_LOG, standard
                                           error).
                  --log-bytes-max=BYTES  How long that file may be before it is moved aside
                                           (else $DUET_RPC_LOG_MAX_SIZE, 10485760).
                  --log-files-max=N      How many of these files are kept (3).
                  --log-waiting-max=BYTES
                                         How many bytes of log lines may wait to be
                                           written; more are dropped (8388608).
                  --name=NAME            Another name by which clients reach this host; may
                                           be repeated.
                  --port=PORT            Port for callers, 0 for any free one (7467).
                  --tls-cert=FILE        Both ports speak TLS with this chain of
                                           certificates in PEM, or with this store in
                                           PKCS#12 that has the key, too.
                                         The files are read again every ten seconds.
                  --tls-client-ca=FILE   Clients show a certificate that one of these
                                           signed, in PEM; only probes need none.
                  --tls-key=FILE         The private key of --tls-cert in PEM; a password
                                           of it or of the store is in
                                           GATEBOOK_TLS_PASSWORD.

            Example: gatebook serve --port 7467 --data ./gatebook-data
            """);
  }

  @Test
  void logOfAServerIsRefusedOnStandardInput() {
    assertThat(gatebook("serve", "--log", "/dev/stdin", "--data", "/no/such"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "standard input is no place for log lines: log to a file, or to standard error\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "nope               | unknown command: 'nope': see gatebook --help",
        "--nope             | unknown option: '--nope': see gatebook --help",
        "serve --nope       | unknown option: '--nope': see gatebook serve --help",
        "serve --nope a-secret | unknown option: '--nope': see gatebook serve --help",
        "serve --nope=a-secret | unknown option: '--nope': see gatebook serve --help",
        "serve more         | unmatched argument at index 1: 'more': see gatebook serve --help",
        "serve --port 65536 | invalid value for option '--port': '65536' is no port from 0 to"
            + " 65535: see gatebook serve --help",
        "serve --port -1    | invalid value for option '--port': '-1' is no port from 0 to 65535:"
            + " see gatebook serve --help",
        "serve --admin-port x | invalid value for option '--admin-port': 'x' is no port from 0 to"
            + " 65535: see gatebook serve --help",
        "serve --log-waiting-max 0 | invalid value for option '--log-waiting-max': '0' is not a"
            + " number of bytes above 0: see gatebook serve --help",
        "wrap --log-waiting-max x | invalid value for option '--log-waiting-max': 'x' is not a"
            + " number of bytes above 0: see gatebook wrap --help",
      })
  void aMistakeIsOneLineAndTheCodeOfWrongUsage(String arguments, String line) {
    assertThat(gatebook(arguments.split(" ", -1))).isEqualTo(new Outcome(2, "", line + "\n"));
  }

  @Test
  void aMistakeBesideJsonIsAJsonDocument() {
    assertThat(gatebook("denials", "--json", "--by", "x"))
        .isEqualTo(
            new Outcome(
                2,
                """
                {"error":{"message":"invalid value for option '--by' (MEMBER): 'x' is none of gate,\
                 tool, principal, reason, code, minute, hour, day: see gatebook denials --help"}}
                """,
                ""));
  }

  @Test
  void missingCommandIsAUsageError() {
    assertThat(gatebook())
        .isEqualTo(new Outcome(2, "", "missing required subcommand: see gatebook --help\n"));
  }

  @Test
  void refusalPrintsOneLineAndExitCodeOne(@TempDir Path temp) throws Exception {
    Path file = Files.createFile(temp.resolve("file"));

    assertThat(gatebook("serve", "--port", "0", "--admin-port", "0", "--data", file.toString()))
        .isEqualTo(
            new Outcome(
                1, "", "%s is not a directory: choose another with --data\n".formatted(file)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "serve --port 0 --admin-port 0",
        "verify",
        "verify --accept REASON",
        "token rotate",
        "keys rotate wrapping"
      })
  void aCommandRefusesAnOlderJournal(String command, @TempDir Path data) throws Exception {
    String sentence = withOlderJournal(data);

    Outcome outcome = gatebook((command + " --data " + data).split(" ", -1));

    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).endsWith(sentence + "\n").hasLineCount(1);
    assertThat(data.resolve("journal")).doesNotExist();
  }

  /** The node of {@code stdio} and {@code wrap}. */
  @Test
  void aNodeOfOneClientRefusesAnOlderJournal(@TempDir Path data) throws Exception {
    String sentence = withOlderJournal(data);

    assertThat(JoinedNode.start(data, Optional.empty(), new DaemonMethods()))
        .isEqualTo(new JoinedNode.Start.Refused(sentence));
    assertThat(data.resolve("journal")).doesNotExist();
  }

  private static String withOlderJournal(Path data) throws IOException {
    ((DataDirectory.Opening.Opened) DataDirectory.open(data)).directory().close();
    CheckpointKey.loadOrCreate(data.resolve("checkpoint.key"), "gatebook/test");
    return "the journal %s is in a format that this version does not read: use the version that wrote it, or another data directory"
        .formatted(Files.createFile(data.resolve("journal.mv.db")));
  }

  private static Outcome gatebook(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Gatebook.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    return new Outcome(code, out.toString(), err.toString());
  }
}
