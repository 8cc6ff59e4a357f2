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
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
    Requires.program("openssl");
    Manifests manifests = Installation.ONE_NODE.read();
    Map<String, String> rules = manifests.rules().getData();
    TestCertificates.Pair pair = TestCertificates.in(temp).make("server");
    mount("tls", Map.of("tls.crt", text(pair.certificate()), "tls.key", text(pair.key())));
    mount("rules", rules);

    try (ServerProcess node = ServerProcess.start(temp, options(manifests))) {
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

  private static String text(String file, Map<String, String> files) {
    String text = files.get(file);
    assertThat(text).isNotNull();
    return text;
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

  private StartOptions options(Manifests manifests) {
    List<String> arguments =
        manifests.container().getArgs().stream()
            .skip(1)
            .map(it -> it.replace("0.0.0.0", "127.0.0.1"))
            .map(it -> it.replace("/etc/gatebook-tls", temp.resolve("tls").toString()))
            .map(it -> it.replace("/etc/gatebook", temp.resolve("rules").toString()))
            .map(it -> it.replaceAll("\\$\\(\\w+\\)", "example"))
            .toList();
    return new StartOptions(
        List.of(),
        arguments,
        Map.of(
            "AGENT_TOKEN_HASH",
            WatchedNode.hash(TOKEN),
            "OPERATOR_TOKEN_HASH",
            WatchedNode.hash("that of the operator")));
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
