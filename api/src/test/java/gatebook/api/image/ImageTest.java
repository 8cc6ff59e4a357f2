package gatebook.api.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.events.Requires;
import gatebook.events.journal.tree.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The image of a small program that stands in for Gatebook and its runtime. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ImageTest {

  private static final Path ROOT =
      Path.of(Objects.requireNonNull(System.getProperty("gatebook.root")));

  private static final JsonMapper JSON = new JsonMapper();

  private Path temp = Path.of("");
  private Path layout = Path.of("");

  @BeforeAll
  void makeTheImage(@TempDir Path folder) throws Exception {
    temp = folder;
    Requires.program("dpkg-query");
    make("image.tar");
    layout = Files.createDirectory(temp.resolve("layout"));
    run("tar", "-C", layout.toString(), "-xf", temp.resolve("image.tar").toString());
  }

  private void make(String file) throws Exception {
    Path program = Files.createDirectories(temp.resolve("program"));
    Path runtime = Files.createDirectories(program.resolve("java/bin")).resolve("java");
    Files.copy(Path.of("/usr/bin/sha256sum"), runtime);
    Files.createDirectory(program.resolve("app"));
    Path launcher =
        Files.writeString(
            program.resolve("gatebook"),
            """
            #!/bin/sh
            echo "$@" | awk '{print $2}' | cat >/tmp/words && mv /tmp/words /tmp/moved
            /opt/gatebook/java/bin/java /tmp/moved
            rm /tmp/moved
            """);
    for (Path executable : List.of(runtime, launcher)) {
      Files.setPosixFilePermissions(executable, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    run(
        "sh",
        "-euc",
        """
        version=1.2.3 made=2026-01-01T00:00:00Z commit=0123456789ab
        . "$1/api/src/packages/image.sh"
        make_image "$2/program" "$2/$3" "$2/work"
        """,
        "sh",
        ROOT.toString(),
        temp.toString(),
        file);
    run("rm", "-rf", program.toString());
  }

  @Test
  void everyDigestIsThatOfItsFile() throws IOException {
    JsonNode manifest = manifest();
    List<String> unpacked = new ArrayList<>();
    for (JsonNode layer : manifest.path("layers")) {
      try (GZIPInputStream bytes = new GZIPInputStream(new ByteArrayInputStream(blob(layer)))) {
        unpacked.add("sha256:" + digest(bytes.readAllBytes()));
      }
    }

    assertThat(JSON.readTree(blob(manifest.path("config"))).at("/rootfs/diff_ids"))
        .extracting(JsonNode::asText)
        .isEqualTo(unpacked)
        .hasSize(2);
  }

  @Test
  void theNodeRunsAsAUserOfItsOwn() throws IOException {
    assertThat(JSON.readTree(blob(manifest().path("config"))).path("config").toPrettyString())
        .isEqualTo(
            """
            {
              "User" : "65532:65532",
              "ExposedPorts" : {
                "7467/tcp" : { },
                "7469/tcp" : { }
              },
              "Env" : [ "PATH=/opt/gatebook:/usr/bin", "GATEBOOK_DATA=/data/gatebook" ],
              "Entrypoint" : [ "/opt/gatebook/gatebook" ],
              "Cmd" : [ "serve" ],
              "Volumes" : {
                "/data" : { }
              },
              "WorkingDir" : "/etc/gatebook",
              "StopSignal" : "SIGTERM",
              "Labels" : {
                "org.opencontainers.image.title" : "gatebook",
                "org.opencontainers.image.version" : "1.2.3",
                "org.opencontainers.image.revision" : "0123456789ab",
                "org.opencontainers.image.created" : "2026-01-01T00:00:00Z",
                "org.opencontainers.image.licenses" : "Apache-2.0",
                "org.opencontainers.image.description" : "Event-sourced audit and error-translation gateway for JSON-RPC"
              }
            }\
            """);
  }

  /** Each line of the list begins with the permissions and the owner. */
  @Test
  void onlyTheDataBelongsToTheUser() throws Exception {
    List<String> files = new ArrayList<>();
    for (JsonNode layer : manifest().path("layers")) {
      run("tar", "--numeric-owner", "-tvzf", file(layer).toString()).lines().forEach(files::add);
    }

    assertThat(files).noneMatch(it -> it.substring(0, 10).matches(".*[sS].*"));
    assertThat(files)
        .filteredOn(it -> !it.matches("\\S+ 0/0 .*"))
        .singleElement()
        .satisfies(it -> assertThat(it).startsWith("drwx------ 65532/65532 ").endsWith(" data/"));
    assertThat(files)
        .filteredOn(it -> it.charAt(8) == 'w' && it.charAt(0) != 'l')
        .singleElement()
        .satisfies(it -> assertThat(it).startsWith("drwxrwxrwt ").endsWith(" ./tmp/"));
    assertThat(files)
        .filteredOn(it -> it.contains("/var/lib/dpkg/status.d/"))
        .anyMatch(it -> it.endsWith("/libc6"))
        .anyMatch(it -> it.endsWith("/dash"));
  }

  @Test
  void oneInputHasOneImage() throws Exception {
    make("again.tar");

    assertThat(temp.resolve("again.tar")).hasSameBinaryContentAs(temp.resolve("image.tar"));
  }

  /** Nothing of this machine is there. */
  @Test
  void theProgramRunsInItsImageAlone() throws Exception {
    Path root = Files.createDirectory(temp.resolve("root"));
    for (JsonNode layer : manifest().path("layers")) {
      run("tar", "-C", root.toString(), "--no-same-owner", "-xzf", file(layer).toString());
    }
    List<String> command = new ArrayList<>(Requires.root(root, "/opt/gatebook/gatebook"));
    command.addAll(List.of("/opt/gatebook/gatebook", "serve", "words"));

    assertThat(run(command.toArray(String[]::new)))
        .isEqualTo(digest("words\n".getBytes(UTF_8)) + "  /tmp/moved\n");
  }

  private JsonNode manifest() throws IOException {
    JsonNode index = JSON.readTree(layout.resolve("index.json").toFile());
    assertThat(index.path("manifests").findValuesAsText("org.opencontainers.image.ref.name"))
        .containsExactly("gatebook:1.2.3");
    return JSON.readTree(blob(index.at("/manifests/0")));
  }

  private Path file(JsonNode descriptor) {
    return layout.resolve("blobs").resolve(descriptor.path("digest").asText().replace(':', '/'));
  }

  /** The bytes that a descriptor names, which must be as it says. */
  private byte[] blob(JsonNode descriptor) throws IOException {
    byte[] bytes = Files.readAllBytes(file(descriptor));
    assertThat(Map.of("sha256:" + digest(bytes), (long) bytes.length))
        .isEqualTo(Map.of(descriptor.path("digest").asText(), descriptor.path("size").longValue()));
    return bytes;
  }

  private static String digest(byte[] bytes) {
    return HexFormat.of().formatHex(Sha256.of(bytes));
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    return printed;
  }
}
