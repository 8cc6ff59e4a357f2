package gatebook.command.rules.file;

import gatebook.command.rules.AnchorRules;
import gatebook.command.rules.ClientTlsFiles;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads the section {@code anchors}: the places to which checkpoints are sent. */
final class AnchorsReader {
  private static final String HINT = "{name: vault, directory: /vault/checkpoints}";
  private static final long EVERY_MILLIS = Duration.ofSeconds(60).toMillis();
  private static final Duration EVERY_LEAST = Duration.ofSeconds(1);
  private static final Duration EVERY_MOST = Duration.ofDays(1);

  private final Set<String> names = new HashSet<>();

  List<AnchorRules> read(YamlValue yamlValue) {
    return yamlValue.items().stream().flatMap(item -> anchor(item).stream()).toList();
  }

  private Optional<AnchorRules> anchor(YamlValue item) {
    Optional<StrictMapping> keys =
        item.keys("name", "directory", "file", "url", "headers", "tls", "every");
    Optional<String> name = keys.flatMap(it -> it.require("name", HINT)).flatMap(this::name);
    Optional<AnchorRules.Place> place = keys.flatMap(it -> place(item, it));
    long every =
        keys.flatMap(it -> it.get("every"))
            .map(it -> it.millis(EVERY_LEAST, EVERY_MOST).orElse(EVERY_MILLIS))
            .orElse(EVERY_MILLIS);
    return name.flatMap(it -> place.map(to -> new AnchorRules(it, to, every)));
  }

  private Optional<String> name(YamlValue yamlValue) {
    Optional<String> name = yamlValue.label();
    name.filter(it -> !names.add(it))
        .ifPresent(_ -> yamlValue.mistake("is the name of another anchor: choose another"));
    return name;
  }

  private static Optional<AnchorRules.Place> place(YamlValue item, StrictMapping keys) {
    if (Stream.of("directory", "file", "url").filter(it -> keys.get(it).isPresent()).count() != 1) {
      item.mistake("must have one of 'directory', 'file' and 'url'");
      return Optional.empty();
    }
    Map<String, String> headers = Headers.read(keys.get("headers"));
    if (keys.get("url").isPresent()) {
      Optional<URI> url = keys.get("url").flatMap(SourceUrl::read);
      ClientTlsFiles tls = ClientTlsReader.read(keys, url);
      return url.map(it -> new AnchorRules.Endpoint(it, headers, tls));
    }
    for (String useless : List.of("headers", "tls")) {
      keys.get(useless).ifPresent(it -> it.mistake("has no meaning without a 'url': leave it out"));
    }
    return keys.get("directory")
        .flatMap(AnchorsReader::path)
        .<AnchorRules.Place>map(AnchorRules.Directory::new)
        .or(() -> keys.get("file").flatMap(AnchorsReader::path).map(AnchorRules.AppendedFile::new));
  }

  private static Optional<Path> path(YamlValue yamlValue) {
    return yamlValue.pathFromRoot("/vault/checkpoints");
  }
}
