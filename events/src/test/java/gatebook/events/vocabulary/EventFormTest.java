package gatebook.events.vocabulary;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.Event;
import gatebook.events.Named;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.axonframework.messaging.core.MessageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EventFormTest {
  private final EventVocabulary eventVocabulary = new EventVocabulary();

  static Stream<Map.Entry<String, Event>> samples() {
    return Samples.events().entrySet().stream().sorted(Map.Entry.comparingByKey());
  }

  @ParameterizedTest
  @MethodSource("samples")
  void anEventIsWrittenAsInItsGoldenFile(Map.Entry<String, Event> sample) throws IOException {
    var written = new String(eventVocabulary.write(sample.getValue()), UTF_8) + "\n";

    assertThat(written).isEqualTo(Golden.text("events/" + sample.getKey() + ".json", written));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void aGoldenFileIsReadAsItsEvent(Map.Entry<String, Event> sample) throws IOException {
    var stored = Golden.text("events/" + sample.getKey() + ".json");

    assertThat(eventVocabulary.read(type(sample.getKey()), Samples.utf8(stored)))
        .isEqualTo(sample.getValue());
  }

  @ParameterizedTest
  @MethodSource("samples")
  void whatMayBeAbsentStaysAbsent(Map.Entry<String, Event> sample) {
    var event = Absent.without((Record) sample.getValue());

    assertThat(eventVocabulary.read(type(sample.getKey()), eventVocabulary.write((Event) event)))
        .isEqualTo(event);
  }

  @Test
  void everyVersionEverWrittenIsStillRead() throws IOException {
    for (var file : Golden.names("events")) {
      var stored = Samples.utf8(Golden.text("events/" + file));

      assertThat(eventVocabulary.read(type(file), stored)).as(file).isInstanceOf(Event.class);
    }
  }

  @Test
  void everyEventHasAGoldenFileOfItsPresentVersion() throws IOException {
    var present = names().stream().map(name -> name.replace(' ', '.') + ".json").toList();

    assertThat(Golden.names("events")).containsAll(present);
  }

  @Test
  void namesAndVersionsMatchTheList() throws IOException {
    var listed = Golden.text("events.txt", String.join("\n", names()) + "\n").lines().toList();

    assertThat(listed).containsAll(names());
    assertThat(listed)
        .allSatisfy(line -> {
          var nameAndVersion = line.split(" ", -1);
          var type = new MessageType(Named.NAMESPACE, nameAndVersion[0], nameAndVersion[1]);
          assertThat(eventVocabulary.present(type).name()).isEqualTo(type.name());
          assertThat(eventVocabulary.present("id", type, Samples.utf8("{}"))).isNotNull();
        });
  }

  private List<String> names() {
    return SealedFamilies.leaves(Event.class)
        .map(event -> eventVocabulary.typeOf(event).orElseThrow())
        .map(type -> type.qualifiedName().localName() + " " + type.version())
        .sorted()
        .toList();
  }

  private static MessageType type(String file) {
    var parts = file.split("\\.", -1);
    return new MessageType(Named.NAMESPACE, parts[0], parts[1]);
  }
}
