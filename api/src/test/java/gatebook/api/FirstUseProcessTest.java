package gatebook.api;

import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.load.FreePorts;
import gatebook.api.proof.AuthorizationServer;
import gatebook.events.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of the page on the first use in a company, from a package to an approval. */
final class FirstUseProcessTest {
  private static final Path HOME = Path.of(System.getProperty("gatebook.root"));

  /** As the page names it, for one version and one kind of processor. */
  private static final String ARCHIVE = "gatebook-0.1.0-linux-x86_64";

  @TempDir private Path temp;

  @Test
  void everyCommandOfTheFirstUseWorks() throws Exception {
    List.of("curl", "openssl", "tar").forEach(Requires::program);
    String script = script(archive());

    String output;
    try (AuthorizationServer authorizationServer = AuthorizationServer.start()) {
      output = run(script, authorizationServer);
    }

    assertThat(output)
        .contains("\"status\":\"ready\"", "\"code\":-32014", "agreed with the team", "deploy")
        .doesNotContain("Unauthorized");
  }

  /** Made as the documentation says, unless this commit's is there. */
  private Path archive() throws Exception {
    run(new ProcessBuilder("sh", ".package", "archive").directory(HOME.toFile()), "archive");
    try (Stream<Path> packages = Files.list(HOME.resolve("target/packages"))) {
      return packages.filter(it -> it.toString().endsWith(".tar.gz")).findFirst().orElseThrow();
    }
  }

  private static String script(Path archive) throws IOException {
    int port = FreePorts.free();
    int adminPort = FreePorts.free();
    return ShellBlocks.of(HOME.resolve("api/FIRST-USE.md")).stream()
        .collect(joining())
        .replace(ARCHIVE + ".tar.gz", archive.toString())
        .replace(ARCHIVE, archive.getFileName().toString().replace(".tar.gz", ""))
        .replace("localhost:7467", "localhost:" + port)
        .replace("localhost:7469", "localhost:" + adminPort)
        .replace(
            "gatebook serve",
            "gatebook serve --port %d --admin-port %d".formatted(port, adminPort));
  }

  private String run(String script, AuthorizationServer authorizationServer) throws Exception {
    ProcessBuilder shell =
        new ProcessBuilder(
            "sh", "-eu", "-c", "trap 'kill ${server:-} 2>/dev/null || :' EXIT\n" + script);
    shell.directory(temp.toFile());
    shell.environment().put("ISSUER", authorizationServer.issuer().toString());
    shell
        .environment()
        .put("TOKEN_ENDPOINT", authorizationServer.issuer().resolve("/token").toString());
    shell.environment().put("CLIENT_ID", AuthorizationServer.SERVICE);
    shell.environment().put("CLIENT_SECRET", AuthorizationServer.SERVICE_SECRET);
    return run(shell, "page");
  }

  /** What the processes of a command wrote; those that it left are ended. */
  private String run(ProcessBuilder command, String name) throws Exception {
    Path output = temp.resolve(name + ".out");
    Process process = command.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    try {
      assertThat(process.waitFor(10, MINUTES)).isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    String text = Files.readString(output);
    assertThat(process.exitValue()).as(text).isZero();
    return text;
  }
}
