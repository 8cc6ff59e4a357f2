document.title = 'Gatebook';
