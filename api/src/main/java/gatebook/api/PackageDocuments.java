package gatebook.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import picocli.CommandLine;

/**
 * Writes the documents of a package: its bill of materials, which is that of the libraries with the
 * Java runtime added, and the licences of all parts with their texts.
 */
final class PackageDocuments {

  private static final String BILL = "gatebook.cdx.json";
  private static final String LICENCES = "THIRD-PARTY.txt";
  private static final String RULE = "-".repeat(72);

  /** A file of a jar that must be passed on with it. */
  private static final Pattern LEGAL_FILE =
      Pattern.compile(
          "META-INF/(?:.*/)?(?:[\\w.-]*-)?(?:LICENSE|NOTICE)(?:\\.txt|\\.md)?|.*/LICENSE");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path libraries;
  private final Path ownTexts;
  private final Map<String, List<String>> partsByText = new LinkedHashMap<>();
  private final List<String> parts = new ArrayList<>();
  private final List<String> mistakes = new ArrayList<>();

  /**
   * @param libraries the directory of the jars
   * @param ownTexts the directory with the texts that no jar has, each named after its part
   */
  PackageDocuments(Path libraries, Path ownTexts) {
    this.libraries = libraries;
    this.ownTexts = ownTexts;
  }

  /**
   * Writes the documents into the package whose Java runtime this runs on. A part without a licence
   * or without a text of it is an error.
   *
   * @param args the bill of the libraries, the directory of texts that no jar has, the package
   */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[2]);
    ObjectNode bill = (ObjectNode) JSON.readTree(Path.of(args[0]).toFile());
    PackageDocuments documents =
        new PackageDocuments(directory.resolve("app/lib"), Path.of(args[1]));
    documents.addLibraries(bill.path("components"));
    documents.addRuntime(Path.of(System.getProperty("java.home"), "legal"));
    documents.mistakes().forEach(System.err::println);
    if (!documents.mistakes().isEmpty()) {
      System.exit(CommandLine.ExitCode.SOFTWARE);
    }
    addRuntime(bill, Runtime.version(), System.getProperty("java.vendor"));
    Files.writeString(
        directory.resolve(BILL),
        JSON.writerWithDefaultPrettyPrinter().writeValueAsString(bill) + "\n");
    Files.writeString(directory.resolve(LICENCES), documents.text());
  }

  /** Adds the runtime to the bill, and removes the texts of licences, which are in the list. */
  static void addRuntime(ObjectNode bill, Runtime.Version version, String vendor) {
    bill.findParents("text").forEach(license -> ((ObjectNode) license).remove("text"));
    String number = String.join(".", version.version().stream().map(String::valueOf).toList());
    String reference = "pkg:generic/openjdk@%s%%2B%d".formatted(number, version.build().orElse(0));
    ObjectNode runtime = JSON.createObjectNode();
    runtime.put("type", "platform");
    runtime.put("bom-ref", reference);
    runtime.putObject("supplier").put("name", vendor);
    runtime.put("name", "openjdk");
    runtime.put("version", version.toString());
    runtime.put("description", "The Java runtime, linked from the modules that are used");
    runtime.put("scope", "required");
    runtime
        .putArray("licenses")
        .addObject()
        .putObject("license")
        .put("id", "GPL-2.0-with-classpath-exception");
    runtime.put("cpe", "cpe:2.3:a:oracle:openjdk:%s:*:*:*:*:*:*:*".formatted(number));
    runtime.put("purl", reference);
    ((ArrayNode) bill.path("components")).add(runtime);
    String program = bill.path("metadata").path("component").path("bom-ref").asText();
    for (JsonNode node : bill.path("dependencies")) {
      if (node.path("ref").asText().equals(program)) {
        ((ArrayNode) node.path("dependsOn")).add(reference);
      }
    }
    ((ArrayNode) bill.path("dependencies")).addObject().put("ref", reference);
  }

  /**
   * Adds the parts of a bill; a jar that is no part of it, such as one of an older build, is an
   * error.
   */
  void addLibraries(JsonNode components) throws IOException {
    List<Path> others = new ArrayList<>(jars(it -> true));
    for (JsonNode component : components) {
      List<Path> jars = jars(jar -> isJar(jar, component));
      addLibrary(component, jars);
      others.removeAll(jars);
    }
    others.forEach(
        jar -> mistakes.add("%s is no library: remove it, and build again".formatted(jar)));
  }

  private List<Path> jars(Predicate<Path> wanted) throws IOException {
    try (Stream<Path> files = Files.list(libraries)) {
      return files.filter(wanted).sorted().toList();
    }
  }

  private void addLibrary(JsonNode component, List<Path> jars) throws IOException {
    String name = component.path("name").asText();
    String part = name + " " + component.path("version").asText();
    List<JsonNode> licences =
        StreamSupport.stream(component.path("licenses").spliterator(), false)
            .map(entry -> entry.path("license"))
            .toList();
    if (licences.isEmpty()) {
      mistakes.add("%s has no licence: name one in a pom, or leave it out".formatted(part));
      return;
    }
    parts.add(
        "%s: %s"
            .formatted(part, String.join(" or ", licences.stream().map(it -> title(it)).toList())));
    boolean hasText = addOwnText(name, part);
    for (Path jar : jars) {
      hasText |= addTexts(jar, part);
    }
    for (JsonNode licence : licences) {
      Optional<String> text = attached(licence.path("text"));
      text.ifPresent(it -> add(it, part));
      hasText |= text.isPresent();
    }
    if (!hasText) {
      mistakes.add(
          "%s has no text of its licence: put it into %s"
              .formatted(part, ownTexts.resolve(name + ".txt")));
    }
  }

  private static String title(JsonNode licence) {
    return licence.path("id").asText(licence.path("name").asText());
  }

  private static Optional<String> attached(JsonNode text) {
    return Optional.of(text.path("content").asText())
        .filter(content -> !content.isEmpty())
        .map(content ->
            text.path("encoding").asText().equals("base64")
                ? new String(Base64.getMimeDecoder().decode(content), UTF_8)
                : content);
  }

  private boolean addOwnText(String name, String part) throws IOException {
    Path file = ownTexts.resolve(name + ".txt");
    if (Files.notExists(file)) {
      return false;
    }
    add(Files.readString(file), part);
    return true;
  }

  /** The jar of a part, perhaps with a classifier. */
  private static boolean isJar(Path file, JsonNode component) {
    String prefix = component.path("name").asText() + "-" + component.path("version").asText();
    String name = file.getFileName().toString();
    return name.equals(prefix + ".jar") || name.startsWith(prefix + "-");
  }

  private boolean addTexts(Path jar, String part) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      List<? extends ZipEntry> entries =
          zip.stream().filter(entry -> LEGAL_FILE.matcher(entry.getName()).matches()).toList();
      for (ZipEntry entry : entries) {
        add(new String(zip.getInputStream(entry).readAllBytes(), UTF_8), part);
      }
      return !entries.isEmpty();
    }
  }

  /** The texts of a Java runtime stay in its own directory, one for each module. */
  void addRuntime(Path legal) {
    if (Files.notExists(legal.resolve("java.base/LICENSE"))) {
      mistakes.add(
          "the Java runtime has no text of its licence: use one whose directory legal has it");
    }
    parts.add("OpenJDK %s: GPL-2.0-with-classpath-exception".formatted(Runtime.version()));
  }

  private void add(String text, String part) {
    List<String> about =
        partsByText.computeIfAbsent(text.replace("\r\n", "\n").strip(), it -> new ArrayList<>());
    if (!about.contains(part)) {
      about.add(part);
    }
  }

  List<String> mistakes() {
    return List.copyOf(mistakes);
  }

  /** The list of parts, then each text with the parts that it is about. */
  String text() {
    StringBuilder text = new StringBuilder("Gatebook contains:\n\n");
    parts.stream()
        .sorted(String.CASE_INSENSITIVE_ORDER)
        .forEach(it -> text.append(it).append('\n'));
    text.append("\nThe texts of the Java runtime are in java/legal. The others:\n");
    partsByText.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.comparing(List::getFirst)))
        .forEach(entry ->
            text.append(
                "\n%s\n%s\n\n%s\n"
                    .formatted(RULE, String.join("\n", entry.getValue()), entry.getKey())));
    return text.toString();
  }
}
