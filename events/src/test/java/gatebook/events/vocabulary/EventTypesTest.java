package gatebook.events.vocabulary;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import gatebook.events.Event;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EventTypesTest {
  private final ObjectMapper mapper = EventJson.mapper();

  @Test
  void everyEnumConstantInAnEventIsListed() throws IOException {
    var types = new LinkedHashSet<Class<?>>();
    SealedFamilies.leaves(Event.class).forEach(event -> collect(event, types));

    var words =
        types.stream()
            .filter(Class::isEnum)
            .flatMap(type -> Arrays.stream(type.getEnumConstants()))
            .map(this::line)
            .sorted()
            .collect(joining("\n", "", "\n"));

    assertThat(words).isEqualTo(Golden.text("words.txt", words));
  }

  private String line(Object constant) {
    try {
      var type =
          constant
              .getClass()
              .getName()
              .substring(constant.getClass().getPackageName().length() + 1);
      return type.replace('$', '.') + " " + mapper.writeValueAsString(constant);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private static void collect(Type type, Set<Class<?>> found) {
    if (type instanceof ParameterizedType generic) {
      Stream.of(generic.getActualTypeArguments()).forEach(argument -> collect(argument, found));
    } else if (type instanceof Class<?> known && found.add(known)) {
      if (known.isSealed()) {
        SealedFamilies.leaves(known).forEach(leaf -> collect(leaf, found));
      } else if (known.isRecord()) {
        Arrays.stream(known.getRecordComponents())
            .map(RecordComponent::getGenericType)
            .forEach(component -> collect(component, found));
      }
    }
  }
}
