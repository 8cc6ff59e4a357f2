package gatebook.api;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The language of the source files: names, Javadoc sentences and log messages. */
final class LanguageTest {

  private static final Path HOME =
      Path.of(Objects.requireNonNull(System.getProperty("gatebook.root")));
  private static final List<String> MODULES = List.of("events", "command", "query", "api");
  private static final int REPEATED_NAMES_MAX = 10;
  private static final double INDIRECT_DOCS_MAX = 0.03;
  private static final int TEST_NAME_WORDS_MAX = 10;

  /** Names of types that occur in more than one package, and why. */
  private static final Map<String, String> REPEATED_NAMES =
      Map.of(
          "Bench", "each module has one benchmark, and its package says of what",
          "Sample", "the figures of one round, which the benchmarks of two modules take",
          "Subject", "what a benchmark measures, in two modules");

  /** Words and phrases that hide the subject of a sentence. */
  private static final Pattern INDIRECT =
      Pattern.compile(
          "\\b(whoever|whomever|whatever|whichever|somebody|anybody|nobody|everybody|someone|anyone"
              + "|everyone|no one)\\b|\\bsees? to it\\b|\\bwhat (becomes|became|comes|came) of\\b"
              + "|\\b(he|she|the ones?|those) who\\b|(^|[.:;,] )who \\w+s\\b",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern DOC = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
  private static final Pattern TYPE =
      Pattern.compile(
          "^(?:(?:public|final|abstract|sealed|non-sealed)"
              + " )*(?:class|interface|record|enum|@interface) (\\w+)",
          Pattern.MULTILINE);
  private static final Pattern LOG_CALL =
      Pattern.compile("\\b(?:LOG|log)\\.(?:at)?(?:error|warn|info|debug|trace)[^;]*;");
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern TEST_NAME =
      Pattern.compile("@(?:Test|ParameterizedTest|RepeatedTest)\\b[^{;]*?\\bvoid (\\w+)\\(");
  private static final Pattern NAME_WORD = Pattern.compile("[A-Z]+(?![a-z])|[A-Z][a-z0-9]+");
  private static final Pattern ENDING = Pattern.compile("(ies|es|s|ing|ed|er|or|e|y)$");
  private static final int STEM_LENGTH_MAX = 6;

  private record Source(Path file, String text) {
    boolean isMain() {
      return file.toString().contains("/src/main/");
    }

    String typeName() {
      return file.getFileName().toString().replace(".java", "");
    }

    List<String> docs() {
      return DOC.matcher(text).results().map(doc -> plain(doc.group(1))).toList();
    }

    String at(int offset) {
      return HOME.relativize(file) + ":" + (text.substring(0, offset).lines().count() + 1);
    }

    private static String plain(String doc) {
      return doc.replaceAll("\\s*\\n\\s*\\*?\\s*", " ").strip();
    }
  }

  @Test
  void aTypeNameIsUsedOnceOrHasAReason() throws IOException {
    Map<String, List<Source>> byName =
        sources().stream()
            .filter(source -> !source.typeName().equals("package-info"))
            .collect(groupingBy(Source::typeName, TreeMap::new, toList()));

    assertThat(byName.entrySet())
        .filteredOn(each -> each.getValue().size() > 1)
        .extracting(Map.Entry::getKey)
        .containsExactlyInAnyOrderElementsOf(REPEATED_NAMES.keySet());
    assertThat(REPEATED_NAMES).hasSizeLessThanOrEqualTo(REPEATED_NAMES_MAX);
  }

  @Test
  void firstSentencesHaveAWordOfTheTypeName() throws IOException {
    List<String> without = new ArrayList<>();
    for (Source source : sources()) {
      if (source.isMain() && !source.typeName().equals("package-info")) {
        String sentence = firstSentence(source);
        if (words(source.typeName()).noneMatch(sentence::contains)) {
          without.add(source.typeName() + ": " + sentence);
        }
      }
    }

    assertThat(without).isEmpty();
  }

  @Test
  void javadocNamesItsSubject() throws IOException {
    List<String> docs = sources().stream().flatMap(source -> source.docs().stream()).toList();
    List<String> indirect = docs.stream().filter(doc -> INDIRECT.matcher(doc).find()).toList();

    assertThat((double) indirect.size() / docs.size())
        .as(String.join("\n", indirect))
        .isLessThanOrEqualTo(INDIRECT_DOCS_MAX);
  }

  @Test
  void everyLogMessageNamesItsSubject() throws IOException {
    List<String> indirect = new ArrayList<>();
    for (Source source : sources()) {
      Matcher call = LOG_CALL.matcher(source.text);
      while (source.isMain() && call.find()) {
        String message =
            LITERAL.matcher(call.group()).results().map(it -> it.group(1)).collect(joining(" "));
        if (INDIRECT.matcher(message).find()) {
          indirect.add(source.at(call.start()) + ": " + message);
        }
      }
    }

    assertThat(indirect).isEmpty();
  }

  @Test
  void testNamesAreShortSentences() throws IOException {
    assertThat(
            sources().stream()
                .flatMap(source -> TEST_NAME.matcher(source.text).results())
                .map(name -> name.group(1)))
        .hasSizeGreaterThan(1_000)
        .filteredOn(
            name -> name.chars().filter(Character::isUpperCase).count() >= TEST_NAME_WORDS_MAX)
        .isEmpty();
  }

  private static String firstSentence(Source source) {
    Matcher type = TYPE.matcher(source.text);
    if (!type.find()) {
      return "";
    }
    List<String> docs = new Source(source.file, source.text.substring(0, type.start())).docs();
    return docs.isEmpty()
        ? ""
        : docs.getLast().split("(?<=[.:])\\s", 2)[0].toLowerCase(Locale.ROOT).replace("-", "");
  }

  /** The words of a name without the endings by which forms of a word differ. */
  private static Stream<String> words(String name) {
    return NAME_WORD
        .matcher(name)
        .results()
        .map(word -> word.group().toLowerCase(Locale.ROOT))
        .filter(word -> word.length() > 2)
        .map(word -> word.length() > 4 ? ENDING.matcher(word).replaceFirst("") : word)
        .map(word -> word.substring(0, Math.min(word.length(), STEM_LENGTH_MAX)));
  }

  private static List<Source> sources() throws IOException {
    List<Source> sources = new ArrayList<>();
    for (String module : MODULES) {
      for (String part : List.of("main", "test")) {
        try (Stream<Path> files =
            Files.walk(HOME.resolve(module + "/src/" + part + "/java/gatebook"))) {
          files
              .filter(file -> file.toString().endsWith(".java"))
              .map(file -> new Source(file, read(file)))
              .forEach(sources::add);
        }
      }
    }
    assertThat(sources).hasSizeGreaterThan(1_000);
    return sources;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
