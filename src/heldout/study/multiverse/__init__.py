"""Every combination of the choices: does the conclusion survive the others?"""
