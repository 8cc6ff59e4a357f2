package gatebook.api.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.http.tls.AnyCertificate;
import gatebook.api.http.tls.TestCertificates;
import gatebook.api.kubernetes.Manifests.Installation;
import gatebook.api.node.WatchedNode;
import gatebook.api.proof.ServerProcess;
import gatebook.api.proof.ServerProcess.StartOptions;
import gatebook.events.Requires;
import gatebook.events.journal.PostgresServer;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.postgres.SharedLocation;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Probe;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node started with the arguments, the rules and the secrets of the manifests. */
final class ManifestsProcessTest {

  private static final String TOKEN = "the token of the agent";

  private static final String ECHO =
      """
      {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":1}}}\
      """;

  private final HttpClient http =
      HttpClient.newBuilder().sslContext(AnyCertificate.context()).build();

  @TempDir private Path temp;

  @Test
  void theNodeServesItsProbesAndTakesChangedRules() throws Exception {
    Manifests manifests = Installation.ONE_NODE.read();
    Map<String, String> rules = manifests.rules().getData();
    mountAll(manifests);

    try (ServerProcess node = ServerProcess.start(temp, options(manifests, Map.of()))) {
      for (Probe probe :
          List.of(
              manifests.container().getStartupProbe(),
              manifests.container().getReadinessProbe(),
              manifests.container().getLivenessProbe())) {
        URI url = node.admin().resolve(probe.getHttpGet().getPath());
        assertThat(url).hasScheme(probe.getHttpGet().getScheme().toLowerCase(Locale.ROOT));
        assertThat(http.send(HttpRequest.newBuilder(url).build(), BodyHandlers.discarding()))
            .satisfies(it -> assertThat(it.statusCode()).isEqualTo(200));
      }
      assertThat(health()).isEqualTo("0 ready\n");
      assertThat(call(node)).contains("\"result\":");

      mount(
          "rules",
          Map.of(
              "gatebook.yaml",
              text("gatebook.yaml", rules)
                  .replace("match: echo, action: forward", "match: echo, action: deny"),
              "policies.cedar",
              text("policies.cedar", rules)));

      await().until(() -> call(node), it -> it.contains("\"code\":-32014"));
      node.stop();
      assertThat(health())
          .isEqualTo("1 no server uses %s, or it is still starting\n".formatted(node.data()));
    }
  }

  @Test
  void severalNodesSignWithTheKeyOfTheSecret() throws Exception {
    Manifests manifests = Installation.SEVERAL_NODES.read();
    mountAll(manifests);
    String key = key();

    try (PostgresServer database = PostgresServer.start()) {
      SharedLocation shared = database.location();
      StartOptions options =
          options(
              manifests,
              Map.of(
                  "DATABASE_URL", shared.url(),
                  "GATEBOOK_DB_USER", shared.user(),
                  "GATEBOOK_DB_PASSWORD", shared.password(),
                  "GATEBOOK_WRAPPING_KEY", "A".repeat(43) + "=",
                  "GATEBOOK_CHECKPOINT_KEY", key));
      assertThat(options.environment())
          .containsKeys(
              manifests.container().getEnv().stream()
                  .filter(it -> it.getValueFrom() != null)
                  .filter(it -> it.getValueFrom().getSecretKeyRef() != null)
                  .map(EnvVar::getName)
                  .toArray(String[]::new));
      try (ServerProcess first = ServerProcess.start(folder("first"), options);
          ServerProcess second = ServerProcess.start(folder("second"), options)) {
        for (ServerProcess node : List.of(first, second)) {
          assertThat(call(node)).contains("\"result\":");
          assertThat(ready(node)).contains("\"journal\":\"appending\"", "\"reason\":null");
          assertThat(node.data().resolve("checkpoint.key")).hasContent(key);
        }
      }
    }
  }

  private Path folder(String name) throws IOException {
    return Files.createDirectory(temp.resolve(name));
  }

  /** The text of a new key that signs checkpoints. */
  private String key() throws IOException {
    Path file = temp.resolve("made.key");
    assertThat(CheckpointKey.loadOrCreate(file, CheckpointKey.newName()))
        .isInstanceOf(LoadedKey.Key.class);
    return Files.readString(file).strip();
  }

  private String ready(ServerProcess node) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(node.admin().resolve("/ready")).build();
    return http.send(request, BodyHandlers.ofString()).body();
  }

  private void mountAll(Manifests manifests) throws IOException, InterruptedException {
    Requires.program("openssl");
    TestCertificates.Pair pair = TestCertificates.in(temp).make("server");
    mount("tls", Map.of("tls.crt", text(pair.certificate()), "tls.key", text(pair.key())));
    mount("rules", manifests.rules().getData());
  }

  private static String text(String file, Map<String, String> files) {
    return Objects.requireNonNull(files.get(file));
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file);
  }

  /** The files are links through {@code ..data}, which is replaced at once, as Kubernetes does. */
  private void mount(String volume, Map<String, String> files) throws IOException {
    Path folder = Files.createDirectories(temp.resolve(volume));
    Path version = Files.createTempDirectory(folder, "..version");
    for (var file : files.entrySet()) {
      Files.writeString(version.resolve(file.getKey()), file.getValue());
      Path link = folder.resolve(file.getKey());
      if (!Files.isSymbolicLink(link)) {
        Files.createSymbolicLink(link, Path.of("..data", file.getKey()));
      }
    }
    Path next = Files.createSymbolicLink(folder.resolve("..next"), version.getFileName());
    Files.move(next, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * The arguments and the environment of the container.
   *
   * @param secrets the values of secrets, by the names of their variables
   */
  private StartOptions options(Manifests manifests, Map<String, String> secrets) {
    Map<String, String> environment = new HashMap<>(secrets);
    environment.put("AGENT_TOKEN_HASH", WatchedNode.hash(TOKEN));
    environment.put("OPERATOR_TOKEN_HASH", WatchedNode.hash("that of the operator"));
    List<String> arguments =
        manifests.container().getArgs().stream()
            .skip(1)
            .map(it -> it.replace("0.0.0.0", "127.0.0.1"))
            .map(it -> it.replace("/etc/gatebook-tls", temp.resolve("tls").toString()))
            .map(it -> it.replace("/etc/gatebook", temp.resolve("rules").toString()))
            .map(it -> withVariables(it, environment))
            .toList();
    return new StartOptions(List.of(), arguments, environment);
  }

  private static String withVariables(String argument, Map<String, String> environment) {
    return Pattern.compile("\\$\\((\\w+)\\)")
        .matcher(argument)
        .replaceAll(
            it -> Matcher.quoteReplacement(environment.getOrDefault(it.group(1), "example")));
  }

  private String call(ServerProcess node) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(node.mcp())
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .header("Authorization", "Bearer " + TOKEN)
            .POST(BodyPublishers.ofString(ECHO))
            .build();
    return http.send(request, BodyHandlers.ofString()).body();
  }

  /** The exit code of {@code gatebook health}, and what it prints. */
  private String health() throws IOException, InterruptedException {
    Process health =
        new ProcessBuilder(
                Manifests.ROOT.resolve("gatebook").toString(),
                "health",
                "--data",
                temp.resolve("data").toString())
            .redirectErrorStream(true)
            .start();
    String printed = new String(health.getInputStream().readAllBytes(), UTF_8);
    return health.waitFor() + " " + printed;
  }
}
