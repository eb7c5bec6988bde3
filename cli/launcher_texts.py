"""What `python3 cli` says before there is anything installed that could translate, in each language."""

TEXTS = {
    "set-up": {
        "en": "Setting up Teufelswerk in {venv}. This happens only once and takes about half a minute.",
        "de": "Teufelswerk wird in {venv} eingerichtet. Das geschieht nur einmal und dauert etwa eine halbe Minute.",
        "ru": "Teufelswerk устанавливается в {venv}. Это делается один раз и занимает около полминуты.",
    },
    "renew": {
        "en": "What Teufelswerk needs has changed: bringing {venv} up to date.",
        "de": "Teufelswerk braucht inzwischen andere Pakete: {venv} wird auf den neuen Stand gebracht.",
        "ru": "Состав нужных пакетов изменился: {venv} обновляется.",
    },
    "tools": {
        "en": "Installing the tools for tests and checks.",
        "de": "Die Werkzeuge für Tests und Prüfungen werden installiert.",
        "ru": "Устанавливаются инструменты для тестов и проверок.",
    },
    "extra": {
        "en": "This needs {packages}, which is now installed in {venv}. This happens only once.",
        "de": "Dafür braucht es {packages}; das wird jetzt in {venv} installiert. Das geschieht nur einmal.",
        "ru": "Для этого нужен пакет {packages}; он устанавливается в {venv}. Это делается один раз.",
    },
    "extra-there": {
        "en": "{packages} is installed.",
        "de": "{packages} ist installiert.",
        "ru": "Пакет {packages} установлен.",
    },
    "extra-usage": {
        "en": "Name what is to be installed, as in: python3 cli extra pdf\nThere is: {names}",
        "de": "Es fehlt der Name dessen, was installiert werden soll, wie in: python3 cli extra pdf\nEs gibt: {names}",
        "ru": "Назовите, что установить, например: python3 cli extra pdf\nЕсть: {names}",
    },
    "copy": {
        "en": "A copy of Teufelswerk was installed in {venv}, so that changes in {root} had no effect; it is replaced.",
        "de": "In {venv} war eine Kopie von Teufelswerk installiert, sodass Änderungen in {root} nichts bewirkten; sie"
        " wird ersetzt.",
        "ru": "В {venv} была установлена копия Teufelswerk, и изменения в {root} не действовали; копия заменяется.",
    },
    "fetch-pip": {
        "en": "This Python comes without pip; fetching it.",
        "de": "Dieses Python bringt kein pip mit; es wird geholt.",
        "ru": "В этом Python нет pip, он загружается.",
    },
    "wait": {
        "en": "Teufelswerk is already being set up by another command; waiting for it.",
        "de": "Ein anderer Aufruf richtet Teufelswerk gerade ein; sobald er fertig ist, geht es weiter.",
        "ru": "Teufelswerk уже устанавливается другой командой; ожидаем её завершения.",
    },
    "old-python": {
        "en": "Teufelswerk needs Python {needed} or newer, and this is Python {found}.\n"
        "Install a newer one and start with it, for example: python{needed} cli",
        "de": "Teufelswerk braucht Python {needed} oder neuer, und dies ist Python {found}.\n"
        "Mit einem neueren Python geht es, zum Beispiel: python{needed} cli",
        "ru": "Для Teufelswerk нужен Python {needed} или новее, а это Python {found}.\n"
        "Установите более новую версию и запустите с ней, например: python{needed} cli",
    },
    "not-ours": {
        "en": "{venv} was not made by this command, so it is left as it is.\nRename or delete it, then try again.",
        "de": "{venv} stammt nicht von diesem Befehl und bleibt deshalb unangetastet.\n"
        "Nach dem Umbenennen oder Löschen dieses Ordners geht es weiter.",
        "ru": "Папка {venv} создана не этой командой, поэтому она оставлена без изменений.\n"
        "Переименуйте или удалите её и повторите попытку.",
    },
    "no-environment": {
        "en": "Python could not make an environment in {venv}.\n"
        "On Debian or Ubuntu this helps: sudo apt install python3-venv",
        "de": "Python konnte in {venv} keine Umgebung anlegen.\n"
        "Unter Debian oder Ubuntu hilft: sudo apt install python3-venv",
        "ru": "Python не смог создать окружение в {venv}.\n"
        "В Debian и Ubuntu поможет команда: sudo apt install python3-venv",
    },
    "no-pip": {
        "en": "pip is missing and could not be fetched. Is there a network connection?\n"
        "On Debian or Ubuntu this helps too: sudo apt install python3-venv",
        "de": "pip fehlt und ließ sich nicht holen. Besteht eine Netzverbindung?\n"
        "Unter Debian oder Ubuntu hilft auch: sudo apt install python3-venv",
        "ru": "pip отсутствует, и загрузить его не удалось. Есть ли подключение к сети?\n"
        "В Debian и Ubuntu поможет и команда: sudo apt install python3-venv",
    },
    "no-packages": {
        "en": "The packages that Teufelswerk needs could not be installed; pip's own words stand above.\n"
        "Usually there is no network connection. Once there is one, try the same command again.",
        "de": "Die Pakete, die Teufelswerk braucht, ließen sich nicht installieren; pip meldet den Grund oben.\n"
        "Meist fehlt die Netzverbindung. Sobald sie besteht, hilft derselbe Befehl noch einmal.",
        "ru": "Не удалось установить нужные пакеты; сообщение pip приведено выше.\n"
        "Чаще всего причина в том, что нет сети. Когда она появится, повторите ту же команду.",
    },
    "no-access": {
        "en": "The folder {root} cannot be written to: {reason}.\n"
        "Copy Teufelswerk into a folder of your own and start it there.",
        "de": "In den Ordner {root} lässt sich nicht schreiben: {reason}.\n"
        "In einem eigenen Ordner geht es: Teufelswerk dorthin kopieren und dort starten.",
        "ru": "Нет возможности записи в папку {root}: {reason}.\n"
        "Скопируйте Teufelswerk в собственную папку и запустите его там.",
    },
    "interrupted": {
        "en": "Interrupted. The next start begins again.",
        "de": "Abgebrochen. Der nächste Start beginnt von vorn.",
        "ru": "Прервано. При следующем запуске всё начнётся заново.",
    },
}
