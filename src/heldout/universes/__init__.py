"""Every combination of choices: does the conclusion survive the others?"""
