package gatebook.api.proof;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.node.WatchedNode;
import gatebook.api.proof.ServerProcess.StartOptions;
import gatebook.events.journal.postgres.SharedLocation;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** The kept journals of earlier versions, each in a directory named after its version. */
public final class Kept {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What every version tells of a call; later ones may tell more. */
  private static final List<String> MEMBERS =
      List.of("callId", "correlationId", "dialect", "method", "principal", "status", "receivedAt");

  private Kept() {}

  /** The directories of all versions. */
  public static List<Path> all() throws IOException {
    Path root = place(Path.of(System.getProperty("gatebook.root")), "").normalize();
    try (Stream<Path> versions = Files.list(root)) {
      return versions.sorted().toList();
    }
  }

  static Path place(Path root, String version) {
    return root.resolve("api/src/test/resources/kept").resolve(version);
  }

  static void writeRules(Path directory) throws IOException {
    ServerDirectory _ =
        ServerDirectory.withRules(
            directory,
            """
            schema: 1
            sources: [{id: demo, kind: demo}]
            governance:
              defaults: {action: forward}
              rules:
                - {match: "delete_*", action: deny}
                - {match: deploy, action: approve, approval: people}
            approval: {people: {timeout: 24h}}
            principals:
              - {name: joe, token_hash: "%s"}
              - {name: ann, token_hash: "%s"}
            journal: {segment_bytes_max: 32768}
            """
                .formatted(
                    WatchedNode.hash("joe-token-0123456789abcdef"),
                    WatchedNode.hash("ann-token-0123456789abcdef")));
  }

  static StartOptions inDatabase(SharedLocation shared) {
    return new StartOptions(
        List.of(),
        List.of("--db", shared.url()),
        Map.of("GATEBOOK_DB_USER", shared.user(), "GATEBOOK_DB_PASSWORD", shared.password()));
  }

  /** What later versions tell of a call, too. */
  static ObjectNode summary(JsonNode call) {
    ObjectNode summary = JSON.createObjectNode();
    MEMBERS.forEach(member -> summary.set(member, call.path(member)));
    ArrayNode events = summary.putArray("events");
    call.path("events")
        .forEach(event ->
            events.add(
                "%s %s %s"
                    .formatted(
                        event.path("position").asText(),
                        event.path("name").asText(),
                        event.path("at").asText())));
    return summary;
  }

  /** The denials of each gate. */
  static ObjectNode denials(ServerProcess server) {
    ObjectNode denials = JSON.createObjectNode();
    server
        .request("audit.denials", "{}")
        .get("groups")
        .forEach(group -> denials.set(group.get("gate").asText(), group.get("count")));
    return denials;
  }

  static void pack(Path directory, Path zip) throws IOException {
    try (OutputStream out = Files.newOutputStream(zip);
        ZipOutputStream packed = new ZipOutputStream(out);
        Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = directory.relativize(file).toString();
        if (!name.matches("out|err|data/owner\\.lock")) {
          packed.putNextEntry(new ZipEntry(name));
          Files.copy(file, packed);
        }
      }
    }
  }

  /** Unpacks a kept directory, as its own user's alone. */
  public static Path unpack(Path zip, Path directory) throws IOException {
    try (InputStream in = Files.newInputStream(zip);
        ZipInputStream packed = new ZipInputStream(in)) {
      for (ZipEntry entry = packed.getNextEntry(); entry != null; entry = packed.getNextEntry()) {
        Path file = directory.resolve(entry.getName());
        Files.createDirectories(
            file.getParent(),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.copy(packed, file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      }
    }
    return directory;
  }
}
