package gatebook.api.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.CompletableFuture.supplyAsync;
import static java.util.concurrent.TimeUnit.SECONDS;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.http.ListenAddress;
import gatebook.api.http.RawHttp;
import gatebook.events.Requires;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ./gatebook serve} as a real process, started by the launcher from the built jar. */
final class ServeCommandProcessTest {

  private static final Path LAUNCHER = Path.of(System.getProperty("gatebook.root"), "gatebook");

  /** Drops the capabilities with which root ignores a directory's permissions. */
  private static final List<String> DROP_ROOT_CAPABILITIES =
      List.of(
          "setpriv",
          "--bounding-set=-dac_override,-dac_read_search",
          "--inh-caps=-dac_override,-dac_read_search");

  private static final String DENIED =
      """
      {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_all"}}\
      """;

  /** Each log line has about 400 bytes; a pipe holds 64 KiB, the log queue 20,000 bytes. */
  private static final int CALLS_OVER_LOG_BUFFER = 400;

  @TempDir private Path temp;

  private @Nullable Process first;

  @AfterEach
  void endTheFirst() {
    if (first != null) {
      first.destroyForcibly();
    }
  }

  @Test
  void serverAnswersProbesProtectsItsDataAndStopsOnTerm() throws Exception {
    Process server = serve("first");
    first = server;
    List<String> addresses = await().until(() -> lines("first.out"), l -> l.size() > 2);
    ListenAddress callers = listen(addresses.getFirst(), "callers ");
    ListenAddress admin = listen(addresses.get(1), "admin   ");

    assertThat(RawHttp.get(admin, "/health").status()).isEqualTo(200);
    assertThat(RawHttp.get(admin, "/ready").body())
        .isEqualTo(
            """
            {"status":"ready","checks":{"journal":"appending","rules":"in-force","views":"up-to-date"},\
            "reason":null,"durability":"power"}\
            """);
    assertThat(RawHttp.get(admin, "/metrics").body()).contains("jvm_memory_used_bytes");
    assertThat(RawHttp.get(callers, "/health").status()).isEqualTo(404);
    assertThat(RawHttp.get(admin, "/").body()).startsWith("<!doctype html>");
    assertThat(RawHttp.get(admin, "/console/assets/app.js").status()).isEqualTo(200);
    assertThat(RawHttp.get(admin, "/console/assets/vendor/uPlot.esm.js").status()).isEqualTo(200);

    Process second = serve("second");
    assertThat(second.waitFor(120, SECONDS)).isTrue();
    assertThat(second.exitValue()).isEqualTo(1);
    assertThat(lines("second.out")).isEmpty();
    assertThat(lines("second.err"))
        .containsExactly(
            "data is in use by the running gatebook with process id %d: stop it, or choose another with --data"
                .formatted(server.pid()));

    server.destroy(); // SIGTERM
    assertThat(server.waitFor(120, SECONDS)).isTrue();
    assertThat(server.exitValue()).isEqualTo(0);
    assertThat(lines("first.err"))
        .hasSizeGreaterThanOrEqualTo(3) // a slow start logs what it waits for
        .allMatch(line -> line.startsWith("{\"timestamp\":\"") && line.endsWith("}"));
  }

  @Test
  void unreadLogDoesNotBlockCallers() throws Exception {
    first =
        process("first", List.of(), "--log-waiting-max", "20000")
            .redirectError(ProcessBuilder.Redirect.PIPE)
            .start();
    List<String> addresses = await().until(() -> lines("first.out"), l -> l.size() > 2);
    ListenAddress callers = listen(addresses.getFirst(), "callers ");

    for (int call = 0; call < CALLS_OVER_LOG_BUFFER; call++) {
      assertThat(RawHttp.send(callers, denied(callers)).body()).contains("-32014");
    }

    BufferedReader log = first.errorReader(UTF_8);
    assertThat(
            supplyAsync(
                    () -> log.lines().anyMatch(line -> line.contains("\"dropped\":")),
                    work -> Thread.ofVirtual().start(work))
                .get(120, SECONDS))
        .isTrue();
  }

  @Test
  void aDirectoryWithoutWritePermissionIsRefused() throws Exception {
    Path data = Files.createDirectory(temp.resolve("data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("r-x------"));

    Requires.program("setpriv");
    Process server = start("refused", Files.isWritable(data) ? DROP_ROOT_CAPABILITIES : List.of());

    assertThat(server.waitFor(120, SECONDS)).isTrue();
    assertThat(lines("refused.err"))
        .containsExactly(
            "cannot use data for data (permission denied): make it writable, or choose another with"
                + " --data");
    assertThat(server.exitValue()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {24, 64, 255})
  void tooFewOpenFilesAreOneSentence(int files) throws Exception {
    Process server =
        start("refused", List.of("sh", "-c", "ulimit -n " + files + "; exec \"$@\"", "sh"));

    assertThat(server.waitFor(120, SECONDS)).isTrue();
    assertThat(lines("refused.err"))
        .containsExactly(
            "too few files may be open at once (ulimit -n is %d): allow 256, or better 4096"
                .formatted(files));
    assertThat(server.exitValue()).isEqualTo(1);
  }

  @Test
  void serverWithoutOneOfItsLibrariesEnds() throws Exception {
    Path target = Path.of(System.getProperty("gatebook.root"), "api/target");
    String classPath;
    try (Stream<Path> libraries = Files.list(target.resolve("lib"))) {
      classPath =
          Stream.concat(Stream.of(target.resolve("classes")), libraries)
              .map(Path::toString)
              .filter(it -> !it.contains("nimbus"))
              .collect(joining(File.pathSeparator));
    }

    first =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                classPath,
                "gatebook.api.Gatebook",
                "serve",
                "--port",
                "0",
                "--admin-port",
                "0",
                "--data",
                temp.resolve("data").toString())
            .redirectOutput(Redirect.DISCARD)
            .redirectError(temp.resolve("missing.err").toFile())
            .start();

    assertThat(first.waitFor(120, SECONDS)).isTrue();
    assertThat(first.exitValue()).isEqualTo(1);
    assertThat(Files.readString(temp.resolve("missing.err"))).contains("NoClassDefFoundError");
  }

  /** {@code script} runs it at a pseudo-terminal and records the output. */
  @Test
  void terminalShowsTheBannerAndCtrlCStops() throws Exception {
    first = atATerminal("");

    assertThat(shown("./gatebook approve ID"))
        .doesNotContain("{\"timestamp\"")
        .containsPattern(
            "(?m)^\\S+Z INFO  rules in force file=sample-rules.yaml rules_hash=sha256:")
        .containsPattern("(?m)^  callers  http://127\\.0\\.0\\.1:\\d+  ")
        .containsPattern("(?m)^  admin    http://127\\.0\\.0\\.1:\\d+  ")
        .containsPattern(
            "(?m)^  console  http://127\\.0\\.0\\.1:\\d+/  \\(\\./gatebook console signs you in\\)")
        .containsPattern("(?m)^  data     \\Q" + temp.toRealPath().resolve("data") + "\\E")
        .contains("  stop     Ctrl-C")
        .doesNotContain("INFO  serving");

    first.outputWriter().append('\u0003').flush();
    assertThat(first.waitFor(120, SECONDS)).isTrue();
    assertThat(first.exitValue()).isEqualTo(0);
    assertThat(shown("stopped"))
        .contains("held_calls=0 drain_millis=0 ")
        .containsPattern("(?m)^\\S+Z INFO  stopped calls_ended=\\d+ calls_closed=0\\R");
  }

  @Test
  void outputToAPipeIsMachineReadable() throws Exception {
    first = atATerminal(" >first.out");

    assertThat(shown("serving"))
        .containsPattern(
            "(?m)^\\S+Z INFO  serving callers=http://127\\.0\\.0\\.1:\\d+ admin=http://");
    List<String> out = await().until(() -> lines("first.out"), l -> l.size() > 2);
    listen(out.getFirst(), "callers ");
    listen(out.get(1), "admin   ");
  }

  private Process atATerminal(String redirected) throws IOException {
    // without exec, some shells wait for it and are ended by Ctrl-C themselves; and a build in the
    // background ignores that signal, as would all that it starts; one under nohup ignores SIGHUP,
    // by which the server ends with its terminal
    String command =
        "exec env --default-signal=INT,HUP '%s' serve --data data --port 0 --admin-port 0"
            .formatted(LAUNCHER);
    return new ProcessBuilder("script", "-qfec", command + redirected, "terminal.txt")
        .directory(temp.toFile())
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private String shown(String last) {
    return await().until(() -> String.join("\n", lines("terminal.txt")), it -> it.contains(last));
  }

  private static String denied(ListenAddress callers) {
    return """
    POST /mcp HTTP/1.1\r
    Host: %s:%d\r
    Connection: close\r
    Content-Type: application/json\r
    Content-Length: %d\r
    \r
    %s\
    """
        .formatted(callers.host(), callers.port(), DENIED.length(), DENIED);
  }

  private Process serve(String name) throws IOException {
    return start(name, List.of());
  }

  private Process start(String name, List<String> through) throws IOException {
    return process(name, through).start();
  }

  private ProcessBuilder process(String name, List<String> through, String... options) {
    List<String> command = new ArrayList<>(through);
    command.addAll(
        List.of(
            LAUNCHER.toString(), "serve", "--data", "data", "--port", "0", "--admin-port", "0"));
    command.addAll(List.of(options));
    return new ProcessBuilder(command)
        .directory(temp.toFile())
        .redirectOutput(temp.resolve(name + ".out").toFile())
        .redirectError(temp.resolve(name + ".err").toFile());
  }

  private List<String> lines(String file) {
    try {
      return Files.readAllLines(temp.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ListenAddress listen(String line, String before) {
    assertThat(line).startsWith(before + "http://127.0.0.1:");
    URI url = URI.create(line.substring(before.length()));
    return new ListenAddress(url.getHost(), url.getPort());
  }
}
