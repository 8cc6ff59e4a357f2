package gatebook.command.axon;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.GivenTree;
import gatebook.command.tree.handler.TreeCommandHandlers;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.axonframework.messaging.commandhandling.annotation.CommandHandler;
import org.axonframework.modelling.annotation.InjectEntity;
import org.junit.jupiter.api.Test;

final class CommandConfigurationTest {

  @Test
  void commandsThatLoadATreeLeaveTheSendersThread() {
    Set<Class<?>> loading =
        Arrays.stream(TreeCommandHandlers.class.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(CommandHandler.class))
            .filter(CommandConfigurationTest::loads)
            .<Class<?>>map(method -> method.getParameterTypes()[0])
            .collect(toSet());

    assertThat(loading).hasSize(13);
    assertThat(GivenTree.commands().filter(CommandConfiguration::loadsAnEntity))
        .extracting(Object::getClass)
        .<Class<?>>extracting(type -> type)
        .hasSameElementsAs(loading);
  }

  private static boolean loads(Method handler) {
    return Stream.of(handler.getParameters())
        .anyMatch(parameter -> parameter.isAnnotationPresent(InjectEntity.class));
  }
}
